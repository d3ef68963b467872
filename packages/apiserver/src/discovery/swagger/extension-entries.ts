import { equalJson, isObject, type JsonObject, objectOf } from '../../schema/index.ts'
import type { ExtensionVersion } from '../extensions/extensions.ts'
import { SwaggerEntry, type SwaggerList } from './swagger-entry.ts'
import { componentOf } from './swagger-schema.ts'

const decoder = new TextDecoder()
const REFERENCE = /^#\/(definitions|parameters)\/(.+)$/
const LISTS = { definitions: 'definition', parameters: 'parameter' } as const
const KINDS = 'x-kubernetes-group-version-kind'

/**
 * The entries that another API server adds to the document: the paths of its group and version, and the definitions to
 * which they refer. A definition that has the name of another one with other content gets a new name.
 */
export function extensionEntries(
  { group, version, swagger }: ExtensionVersion,
  known: ReadonlyMap<string, SwaggerEntry>,
): SwaggerEntry[] {
  if (!swagger) return []
  const all = objectOf(swagger['paths'])
  const prefix = `/apis/${group}/${version}/`
  const paths = Object.fromEntries(Object.entries(all).filter(([path]) => path.startsWith(prefix)))
  const definitions = keptDefinitions(objectOf(swagger['definitions']), all, paths)
  const parameters = objectOf(swagger['parameters'])
  const names = new Map([
    ...newNames('definitions', definitions, known),
    ...newNames('parameters', parameters, known),
  ])
  const entries = (list: SwaggerList, values: JsonObject, prefixed: string): SwaggerEntry[] =>
    Object.entries(values).flatMap(([name, value]) => {
      const written = names.get(`${prefixed}${name}`) ?? name
      if (known.has(`${list} ${written}`)) return []
      return [new SwaggerEntry(list, written, componentOf(renamed(value, names)))]
    })
  return [
    ...entries('path', paths, ''),
    ...entries('definition', definitions, '#/definitions/'),
    ...entries('parameter', parameters, '#/parameters/'),
  ]
}

/** The definitions without those that only other paths use. */
function keptDefinitions(definitions: JsonObject, all: JsonObject, paths: JsonObject): JsonObject {
  const before = usedDefinitions(all, definitions)
  const after = usedDefinitions(paths, definitions)
  const kept = Object.entries(definitions).filter(([name]) => after.has(name) || !before.has(name))
  return Object.fromEntries(kept)
}

function usedDefinitions(paths: JsonObject, definitions: JsonObject): ReadonlySet<string> {
  const used = new Set<string>()
  const waiting: unknown[] = [paths]
  while (waiting.length > 0) {
    for (const name of referencesIn(waiting.pop())) {
      if (used.has(name)) continue
      used.add(name)
      waiting.push(definitions[name])
    }
  }
  return used
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const [, list, name] = (key === '$ref' && typeof part === 'string' && REFERENCE.exec(part)) || []
    return list === 'definitions' && name !== undefined ? [name] : referencesIn(part)
  })
}

/** The references to definitions that cannot keep their names, with the names that they get. */
function newNames(
  list: keyof typeof LISTS,
  values: JsonObject,
  known: ReadonlyMap<string, SwaggerEntry>,
): [reference: string, name: string][] {
  return Object.entries(values).flatMap(([name, value]) => {
    let chosen = name
    for (let count = 2; isAnother(known.get(`${LISTS[list]} ${chosen}`), value); count++) {
      chosen = `${name}_v${count}`
    }
    const renaming: [string, string] = [`#/${list}/${name}`, chosen]
    return chosen === name ? [] : [renaming]
  })
}

function isAnother(entry: SwaggerEntry | undefined, value: unknown): boolean {
  if (!entry) return false
  const [own] = Object.values(objectOf(JSON.parse(`{${decoder.decode(entry.json)}}`)))
  return !equalJson(withoutKinds(own), withoutKinds(value))
}

/** Where servers share a type, each names the kinds of its own groups in it. */
function withoutKinds(value: unknown): JsonObject {
  const { [KINDS]: _, ...others } = objectOf(value)
  return others
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((part) => renamed(part, names))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const name = key === '$ref' && typeof part === 'string' ? names.get(part) : undefined
      if (name === undefined) return [key, renamed(part, names)]
      return [key, String(part).replace(REFERENCE, (_, list: string) => `#/${list}/${name}`)]
    }),
  )
}
