import { formatCheck } from './formats.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'

/** The formats in a CRD that are ignored. Versions with the same schema count once. */
export function unknownFormats(definition: JsonObject): string[] {
  const schemas = listOf(objectOf(definition['spec'])['versions']).map(
    (version) => objectOf(version)['schema'],
  )
  const seen = new Set<string>()
  return schemas.flatMap((schema) => {
    const formats: string[] = []
    addFormats(objectOf(objectOf(schema)['openAPIV3Schema']), formats)
    if (formats.length === 0 || schemas.length === 1) return formats
    const text = sortedText(schema)
    if (seen.has(text)) return []
    seen.add(text)
    return formats
  })
}

const NUMBER_FORMATS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<readonly string[]>({
    integer: ['int32', 'int64'],
    number: ['float', 'double'],
  }),
)

/** Adds the unknown formats of a schema and of all that it consists of. */
function addFormats(node: JsonObject, formats: string[]): void {
  const format = textOf(node['format'] ?? '')
  if (format !== '' && !isKnown(format, textOf(node['type'] ?? ''))) formats.push(format)
  const add = (part: unknown): void => {
    if (isObject(part)) addFormats(part, formats)
  }
  add(node['items'])
  add(node['additionalProperties'])
  add(node['not'])
  if (isObject(node['properties'])) for (const part of Object.values(node['properties'])) add(part)
  for (const part of listOf(node['allOf'])) add(part)
  for (const part of listOf(node['oneOf'])) add(part)
  for (const part of listOf(node['anyOf'])) add(part)
}

function isKnown(format: string, type: string): boolean {
  if (type === '' || type === 'string') return formatCheck(format) !== undefined
  return NUMBER_FORMATS.get(type)?.includes(format) ?? false
}

/** The same text for equal values: the order of keys does not matter. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  )
}
