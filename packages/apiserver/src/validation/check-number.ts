import {
  type ErrorList,
  type FieldError,
  floatText,
  invalidValue,
  RawJson,
  type SchemaNode,
} from '../schema/index.ts'
import { fieldOf, type ErrorPlace } from './error-place.ts'
import { countsAsInteger, knownFormat } from './check-type.ts'

const RANGES = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
} as const
const LARGEST_FLOAT = 3.402_823_466_385_288_6e38

/** Validates a number by its bounds and its format, and returns how many checks it has passed. */
export function checkNumber(
  place: ErrorPlace,
  node: SchemaNode,
  value: number | bigint,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  checkRange(place, node, value, 'Checked', path, errors)
  const { multipleOf, minimum, maximum } = node
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return 2
  const field = fieldOf(place, path)
  const compared = (limit: number, what: string): ComparedNumber =>
    comparedWith(limit, value, checkRange(place, node, limit, what, path, errors))
  if (multipleOf !== undefined) {
    const { limit, text, number, shown } = compared(multipleOf, 'MultipleOf')
    if (limit <= 0) {
      const detail = `factor MultipleOf declared for ${path} must be positive: ${text}`
      errors.push(invalidValue(field, new RawJson(text), detail))
    } else if (!isMultiple(number, limit)) {
      errors.push(invalidValue(field, shown, `${path} in body should be a multiple of ${text}`))
    }
  }
  if (minimum !== undefined) {
    const { limit, text, number, shown } = compared(minimum, 'Minimum boundary')
    if (node.exclusiveMinimum ? number <= limit : number < limit) {
      const words = node.exclusiveMinimum ? 'greater than' : 'greater than or equal to'
      errors.push(invalidValue(field, shown, `${path} in body should be ${words} ${text}`))
    }
  }
  if (maximum !== undefined) {
    const { limit, text, number, shown } = compared(maximum, 'Maximum boundary')
    if (node.exclusiveMaximum ? number >= limit : number > limit) {
      const words = node.exclusiveMaximum ? 'less than' : 'less than or equal to'
      errors.push(invalidValue(field, shown, `${path} in body should be ${words} ${text}`))
    }
  }
  return 2
}

/** A number and a limit in the form in which they are compared and shown. */
interface ComparedNumber {
  readonly limit: number
  readonly text: string
  readonly number: number | bigint
  readonly shown: unknown
}

/**
 * A number and a limit in the form in which kube-apiserver compares them. A whole number is compared with the limit cut
 * to a whole number. Other numbers are compared as floating-point numbers, and so are whole numbers where the limit is
 * not in the range of its type.
 */
function comparedWith(limit: number, value: number | bigint, isInRange: boolean): ComparedNumber {
  if (isInt64(value) && isInRange) {
    const whole = Math.trunc(limit)
    return { limit: whole, text: String(BigInt(whole)), number: value, shown: value }
  }
  const number = Number(value)
  return { limit, text: floatText(limit), number, shown: new RawJson(floatText(number)) }
}

/** Validates that a value or a limit is in the range of its type and format. Returns whether it is. */
function checkRange(
  place: ErrorPlace,
  node: SchemaNode,
  value: number | bigint,
  what: string,
  path: string,
  errors: ErrorList<FieldError>,
): boolean {
  const format = knownFormat(node)
  if (inRange(node, value, format)) return true
  const kind = format === '' ? '(default format)' : `with format ${format}`
  errors.push(invalidValue(place.root, '', `${what} value must be of type ${node.type} ${kind} in ${path}`))
  return false
}

function inRange(node: SchemaNode, value: number | bigint, format: string): boolean {
  if (node.type === 'number') return format !== 'float' || Math.abs(Number(value)) <= LARGEST_FLOAT
  if (node.type !== 'integer') return true
  if (format !== 'int32' && Number.isSafeInteger(value)) return true
  // A whole number beyond 64 bits counts as a fraction.
  if (typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 2 ** 63)) return false
  const [low, high] = RANGES[format === 'int32' ? 'int32' : 'int64']
  const whole = BigInt(value)
  return whole >= low && whole <= high
}

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 63)
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (factor <= 0) return false
  if (typeof value === 'bigint') return value % BigInt(factor) === 0n
  if (Number.isSafeInteger(value) && Number.isInteger(factor)) return value % factor === 0
  const quotient = factor < 1 ? (1 / factor) * value : value / factor
  return Math.abs(quotient) <= Number.MAX_SAFE_INTEGER && countsAsInteger(quotient)
}
