import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** How JSON writes a field of a Go struct. */
export interface GoField {
  readonly goName: string
  /** Empty where the fields of the inner struct stand among those of the outer one. */
  readonly jsonName: string
  readonly pointer: boolean
  readonly omitEmpty: boolean
  readonly omitZero: boolean
}

/** The types of a Go package, as far as they have protobuf tags. */
export interface GoPackage {
  /** The API group, where the package declares one. */
  readonly group: string | undefined
  /** The fields of each struct by protobuf number, in the order in which JSON writes them. */
  readonly structs: ReadonlyMap<string, ReadonlyMap<number, GoField>>
  /** The types that are lists, which protobuf wraps in a message of their own. */
  readonly lists: ReadonlySet<string>
}

const STRUCT = /^type (\w+) struct \{\n([\s\S]*?)^\}/gm
const LIST = /^type (\w+) \[\]/gm
const GROUP = /^const GroupName = "([^"]*)"/m
const FIELD = /^\t(?:(\w+)\s+)?([*\w.[\]]+)\s+`([^`]*)`/

/** Reads the Go files in a folder, other than tests and what is generated. */
export function readGoPackage(folder: string): GoPackage {
  const structs = new Map<string, Map<number, GoField>>()
  const lists = new Set<string>()
  let group: string | undefined
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || /_test\.go$|^zz_|\.pb\.go$/.test(file)) continue
    const text = readFileSync(join(folder, file), 'utf8')
    group ??= GROUP.exec(text)?.[1]
    for (const [, name] of text.matchAll(LIST)) lists.add(name!)
    for (const [, name, body] of text.matchAll(STRUCT)) structs.set(name!, readFields(body!))
  }
  return { group, structs, lists }
}

function readFields(body: string): Map<number, GoField> {
  const fields = new Map<number, GoField>()
  for (const line of body.split('\n')) {
    const [, name, type = '', tags = ''] = FIELD.exec(line) ?? []
    const number = /protobuf:"\w+,(\d+),/.exec(tags)?.[1]
    if (number === undefined) continue
    const goName = name ?? type.slice(type.lastIndexOf('.') + 1)
    const [jsonName = '', ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? goName).split(',')
    fields.set(Number(number), {
      goName,
      jsonName: jsonName === '' && !options.includes('inline') ? goName : jsonName,
      pointer: type.startsWith('*'),
      omitEmpty: options.includes('omitempty'),
      omitZero: options.includes('omitzero'),
    })
  }
  return fields
}
