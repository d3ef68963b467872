import { formatKey, HomeostatError, parseKey, type ObjectKey } from '@homeostat/api'

/**
 * The text of a request in the queue, in logs and in messages: `namespace/name`, and after a question mark its other
 * fields. Equal requests have the same text, whatever the order of their fields.
 */
export function requestText(request: ObjectKey): string {
  if (typeof request?.name !== 'string' || request.name === '') throw notARequest(request)
  const names = Object.keys(request)
  if (names.length <= 2 && names.every((name) => name === 'name' || name === 'namespace'))
    return formatKey(request)
  if (isMetadata(request)) throw notARequest(request)
  const rest = Object.entries(request).filter(([name, value]) => isExtra(name) && value !== undefined)
  if (rest.some(([, value]) => typeof value !== 'string')) throw notARequest(request)
  if (rest.length === 0) return formatKey(request)
  const query = new URLSearchParams(rest.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return `${formatKey(request)}?${query.toString()}`
}

/** Parses the text of a request. */
export function requestOf(text: string): ObjectKey {
  const end = text.indexOf('?')
  if (end < 0) return parseKey(text)
  return { ...Object.fromEntries(new URLSearchParams(text.slice(end + 1))), ...parseKey(text.slice(0, end)) }
}

function isExtra(name: string): boolean {
  return name !== 'name' && name !== 'namespace'
}

function notARequest(request: unknown): HomeostatError {
  return new HomeostatError(
    'REQUEST_INVALID',
    `a handler gave ${shown(request)} as a request: ${remedyFor(request)}`,
  )
}

/** Whether the value is an object's metadata, which may consist only of strings, like a request. */
function isMetadata(request: object): boolean {
  return 'uid' in request && 'resourceVersion' in request
}

function remedyFor(request: unknown): string {
  if (typeof request === 'object' && request !== null && ('metadata' in request || isMetadata(request))) {
    const what = 'metadata' in request ? 'an object' : "an object's metadata"
    return `that is ${what}. Give its namespace and name alone, as keyOf(object) does`
  }
  return 'give { name } or { namespace, name }, with strings for all further fields'
}

/** How many fields a message names. */
const MOST_SHOWN = 8

/**
 * Describes a value by its type, its name and its namespace. Other fields are named without their values, which may be
 * secret.
 */
function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value == null ? String(value) : `a ${typeof value}`
  if (Array.isArray(value)) return 'a list'
  const fields = Object.entries(value).map(([name, field]) =>
    isExtra(name) || typeof field !== 'string' ? name : `${name}: ${JSON.stringify(field)}`,
  )
  const more = fields.length > MOST_SHOWN ? ', …' : ''
  return fields.length === 0 ? '{}' : `{ ${fields.slice(0, MOST_SHOWN).join(', ')}${more} }`
}
