import type { ServerObject } from '../../registry/index.ts'
import {
  aggregate,
  copyJson,
  isObject,
  textOf,
  validateAnnotations,
  validateLabels,
  type JsonObject,
} from '../../schema/index.ts'

/**
 * The converted object, if it has the identity of the original; otherwise kube-apiserver's message. A conversion may
 * change only labels and annotations of the metadata; the rest is the original's.
 */
export function acceptConverted(
  original: ServerObject,
  converted: unknown,
  apiVersion: string,
): ServerObject | string {
  const whose = `conversion webhook for ${original.apiVersion}, Kind=${original.kind}`
  const unreadable = undecodable(converted)
  if (unreadable !== undefined || !isObject(converted)) return unreadable ?? ''
  const invalid = (why: string): string => `${whose} returned invalid object at index 0: ${why}`
  const version = textOf(converted['apiVersion'] ?? '')
  if (version !== apiVersion)
    return invalid(`invalid groupVersion (expected ${apiVersion}, received ${version})`)
  const kind = textOf(converted['kind'])
  if (kind !== original.kind) return invalid(`invalid kind (expected ${original.kind}, received ${kind})`)
  const identity = otherIdentity(original, converted)
  if (identity !== undefined) return `${whose} returned invalid object: ${identity}`
  const metadata = restored(original.metadata, converted['metadata'])
  if (typeof metadata === 'string') return `${whose} returned invalid metadata: ${metadata}`
  return { ...converted, metadata } as ServerObject
}

/** Why a value cannot be read as an object of some kind; undefined where it can. */
function undecodable(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'unexpected end of JSON input'
  if (!isObject(value)) {
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`
  }
  const { kind } = value
  if (typeof kind === 'string' && kind !== '') return undefined
  return `Object 'Kind' is missing in '${JSON.stringify(value)}'`
}

/** How a converted object differs from its original. */
function otherIdentity({ metadata }: ServerObject, converted: JsonObject): string | undefined {
  const given: JsonObject = isObject(converted['metadata']) ? converted['metadata'] : {}
  for (const [name, field] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['UID', 'uid'],
  ] as const) {
    const [expected, found] = [text(metadata[field]), text(given[field])]
    if (expected !== found) return `must have the same ${name}: ${expected} != ${found}`
  }
  return undefined
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The original's metadata with the labels and annotations of the converted object, or the error of these. */
function restored(original: ServerObject['metadata'], converted: unknown): ServerObject['metadata'] | string {
  if (converted === undefined) return 'missing metadata in converted object'
  if (!isObject(converted)) return `invalid metadata of type ${goType(converted)} in converted object`
  const metadata: JsonObject = { ...copyJson(original) }
  for (const field of ['labels', 'annotations'] as const) {
    const given = converted[field]
    if (given === undefined || given === null) {
      delete metadata[field]
      continue
    }
    if (!isObject(given)) return `invalid metadata.${field} of type ${goType(given)} in converted object`
    const problem = valuesProblem(field, given, metadata[field])
    if (problem !== undefined) return problem
    metadata[field] = given
  }
  return metadata
}

/** Validates labels or annotations, if the conversion changed them. */
function valuesProblem(
  field: 'labels' | 'annotations',
  given: JsonObject,
  original: unknown,
): string | undefined {
  const before: JsonObject = isObject(original) ? original : {}
  for (const [key, value] of Object.entries(given)) {
    if (typeof value !== 'string')
      return `metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`
  }
  const names = Object.keys(given)
  if (names.length === Object.keys(before).length && names.every((name) => before[name] === given[name]))
    return undefined
  const problems =
    field === 'labels'
      ? validateLabels(given, 'metadata.labels')
      : validateAnnotations(given, 'metadata.annotation')
  return problems.length > 0 ? aggregate(problems) : undefined
}

/** The type of a JSON value as Go prints it. */
function goType(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return Number.isInteger(value) ? 'int64' : 'float64'
}
