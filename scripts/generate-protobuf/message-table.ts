import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readGoPackage, type GoField, type GoPackage } from './go-structs.ts'
import { parseProto, type ProtoField, type ProtoFile } from './proto-file.ts'

/** The short name of a package: `apps/v1`, `meta/v1`, `runtime`. */
function shortPackage(name: string): string {
  return name
    .replace(/^k8s\.io\.api\./, '')
    .replace(
      /^k8s\.io\.(apimachinery|apiextensions_apiserver|kube_aggregator)\.pkg\.(apis\.|util\.|api\.)?/,
      '',
    )
    .replace(/\.(v\d\w*)$/, '/$1')
    .replaceAll('.', '/')
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 's',
  bytes: 'y',
  bool: 'b',
  int32: 'i',
  int64: 'l',
  double: 'd',
}

/** A package as it is written into the generated module. */
export interface PackageTable {
  readonly name: string
  /** The `apiVersion` of its kinds, where it has some. */
  readonly apiVersion: string | undefined
  /** A line for each message. */
  readonly lines: readonly string[]
}

/** Joins what a `.proto` file says about numbers and types with what the Go structs beside it say about JSON. */
export function packageTable(path: string): PackageTable {
  const proto = parseProto(readFileSync(path, 'utf8'))
  const go = readGoPackage(dirname(path))
  const version = /\.(v\d\w*)$/.exec(proto.package)?.[1]
  return {
    name: shortPackage(proto.package),
    apiVersion: go.group === undefined ? undefined : go.group === '' ? version : `${go.group}/${version}`,
    lines: [...proto.messages].map(([name, fields]) => messageLine(proto, go, name, fields)),
  }
}

function messageLine(proto: ProtoFile, go: GoPackage, name: string, fields: readonly ProtoField[]): string {
  if (go.lists.has(name)) return `=${name} ${fields.map((field) => fieldText(proto, field, ITEMS)).join(' ')}`
  const struct = go.structs.get(name)
  // A struct without tags is one with a codec of its own, such as Time: its fields are never seen in JSON.
  if (!struct || struct.size === 0) {
    return [name, ...fields.map((field) => fieldText(proto, field, unseen(field)))].join(' ')
  }
  const byNumber = new Map(fields.map((field) => [field.number, field]))
  const texts: string[] = []
  for (const [number, tags] of struct) {
    const field = byNumber.get(number)
    if (!field) throw new Error(`${proto.package}.${name} has no field ${number}, which its struct has`)
    texts.push(fieldText(proto, field, tags))
    byNumber.delete(number)
  }
  for (const field of byNumber.values()) {
    throw new Error(
      `the struct of ${proto.package}.${name} has no field ${field.name}, which its message has`,
    )
  }
  return [name, ...texts].join(' ')
}

const ITEMS: GoField = {
  goName: 'Items',
  jsonName: 'items',
  pointer: false,
  omitEmpty: false,
  omitZero: false,
}

function unseen({ name }: ProtoField): GoField {
  const goName = capitalized(name)
  return { goName, jsonName: name, pointer: false, omitEmpty: false, omitZero: false }
}

/** `clusterIP:3~s`: see the comment on the generated module's reader. */
function fieldText(proto: ProtoFile, field: ProtoField, tags: GoField): string {
  const { jsonName, goName } = tags
  const name = goName === capitalized(jsonName) ? jsonName : `${jsonName}/${goName}`
  const flags = `${tags.pointer ? '?' : ''}${tags.omitEmpty ? '~' : ''}${tags.omitZero ? '^' : ''}`
  const label = field.label === 'list' ? '*' : field.label === 'map' ? '%' : ''
  return `${name}:${field.number}${flags}${label}${typeText(proto, field.type)}`
}

function typeText(proto: ProtoFile, type: string): string {
  const scalar = SCALARS[type]
  if (scalar) return scalar
  const dot = type.lastIndexOf('.')
  const inPackage = type.slice(0, dot)
  const name = type.slice(dot + 1)
  return inPackage === proto.package ? `@${name}` : `@${shortPackage(inPackage)}.${name}`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
