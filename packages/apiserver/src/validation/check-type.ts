import { type ErrorList, type FieldError, quote, type SchemaNode, typeInvalid } from '../schema/index.ts'
import { formatCheck } from './formats/formats.ts'
import { fieldOf, type ErrorPlace } from './error-place.ts'

/** Validates the type of a value, and returns how many checks it has passed. */
export function checkType(
  place: ErrorPlace,
  node: SchemaNode,
  value: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  if (value !== null && isPlainlyOfType(node, value)) return 2
  const types = typesOf(node)
  const format = place.keepsFormats ? (node.format ?? '') : knownFormat(node)
  if (types.length === 0 && format === '') return 0
  const fail = (expected: string, actual: string): number => {
    const detail = `${path} in body must be of type ${expected}: ${quote(actual)}`
    errors.push(typeInvalid(fieldOf(place, path), actual, detail))
    return 1
  }
  if (value === null) return types.length > 0 && !node.nullable ? fail(types.join(','), 'null') : 1
  const [type, actualFormat] = inferred(value)
  const fits =
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'number' && types.includes('integer') && countsAsInteger(Number(value)))
  const text = type === 'string' || type === 'array'
  if (!text && format !== '' && !fits && actualFormat !== format) return fail(format, actualFormat)
  if (text && format !== '' && !types.includes('number') && !types.includes('integer')) return 2
  return fits ? 2 : fail(types.join(','), type)
}

function typesOf(node: SchemaNode): readonly string[] {
  if (node['x-kubernetes-int-or-string']) return ['integer', 'string']
  return node.type === undefined ? [] : [node.type]
}

/** Whether a value has the single type of its schema, which has no format: the case of nearly all values. */
function isPlainlyOfType(node: SchemaNode, value: unknown): boolean {
  if (node.format || node['x-kubernetes-int-or-string']) return false
  switch (node.type) {
    case 'string':
    case 'boolean':
      return typeof value === node.type
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case 'integer':
      return Number.isSafeInteger(value)
    default:
      return false
  }
}

/** The type and format of a value, as the server infers them. */
function inferred(value: unknown): readonly [type: string, format: string] {
  if (typeof value === 'string') return ['string', '']
  if (typeof value === 'boolean') return ['boolean', '']
  if (typeof value === 'bigint') return ['integer', 'int64']
  if (typeof value === 'number') {
    // A whole number beyond 64 bits counts as a fraction.
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? ['integer', 'int64'] : ['number', 'float64']
  }
  return Array.isArray(value) ? ['array', ''] : ['object', '']
}

/** Whether a number is whole, or so close to a whole one that the server accepts it. */
export function countsAsInteger(value: number): boolean {
  if (Number.isInteger(value)) return Math.abs(value) < 2 ** 63
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) return false
  const whole = Math.trunc(value)
  return whole !== 0 && (value - whole) / (value + whole) < 1e-9
}

/** The format of a node; empty where its type has no such format. */
export function knownFormat(node: SchemaNode): string {
  const { format = '', type } = node
  if (format === '') return ''
  if (type === undefined || type === 'string') return formatCheck(format) ? format : ''
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : ''
  return type === 'number' && (format === 'float' || format === 'double') ? format : ''
}
