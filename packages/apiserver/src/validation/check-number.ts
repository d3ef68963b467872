import {
  type ErrorList,
  type FieldError,
  floatText,
  invalidValue,
  numberText as wholeText,
  RawJson,
  type SchemaNode,
} from '../schema/index.ts'
import { fieldOf, type Place } from './error-place.ts'
import { countsAsInteger, knownFormat } from './check-type.ts'

const RANGES: ReadonlyMap<string, readonly [bigint, bigint]> = new Map(
  Object.entries<readonly [bigint, bigint]>({
    int32: [-(2n ** 31n), 2n ** 31n - 1n],
    int64: [-(2n ** 63n), 2n ** 63n - 1n],
  }),
)
const LARGEST_FLOAT = 3.402_823_466_385_288_6e38

/** Validates a number by its bounds and its format, and returns how many checks it has passed. */
export function checkNumber(
  place: Place,
  node: SchemaNode,
  value: number | bigint,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  checkRange(place, node, value, 'Checked', path, errors)
  const { multipleOf, minimum, maximum } = node
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return 2
  const field = fieldOf(place, path)
  const fraction = !isInt64(value)
  // Bounds of whole numbers are compared without their fraction, as the server does.
  const bound = (limit: number): number => (fraction ? limit : Math.trunc(limit))
  const numberText = (limit: number): string => (fraction ? floatText(limit) : wholeText(limit))
  const shown = fraction ? new RawJson(floatText(Number(value))) : value
  if (multipleOf !== undefined) checkRange(place, node, multipleOf, 'MultipleOf', path, errors)
  if (multipleOf !== undefined && bound(multipleOf) <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${numberText(bound(multipleOf))}`
    errors.push(invalidValue(field, shown, detail))
  } else if (multipleOf !== undefined && !isMultiple(fraction ? Number(value) : value, bound(multipleOf))) {
    errors.push(
      invalidValue(field, shown, `${path} in body should be a multiple of ${numberText(bound(multipleOf))}`),
    )
  }
  if (minimum !== undefined) {
    checkRange(place, node, minimum, 'Minimum boundary', path, errors)
    const limit = bound(minimum)
    if (node.exclusiveMinimum ? value <= limit : value < limit) {
      const words = node.exclusiveMinimum ? 'greater than' : 'greater than or equal to'
      errors.push(invalidValue(field, shown, `${path} in body should be ${words} ${numberText(limit)}`))
    }
  }
  if (maximum !== undefined) {
    checkRange(place, node, maximum, 'Maximum boundary', path, errors)
    const limit = bound(maximum)
    if (node.exclusiveMaximum ? value >= limit : value > limit) {
      const words = node.exclusiveMaximum ? 'less than' : 'less than or equal to'
      errors.push(invalidValue(field, shown, `${path} in body should be ${words} ${numberText(limit)}`))
    }
  }
  return 2
}

/** Validates that a value and its bounds are in the range of their type and format. */
function checkRange(
  place: Place,
  node: SchemaNode,
  value: number | bigint,
  what: string,
  path: string,
  errors: ErrorList<FieldError>,
): void {
  const format = knownFormat(node)
  if (inRange(node, value, format)) return
  const kind = format === '' ? '(default format)' : `with format ${format}`
  errors.push(invalidValue(place.root, '', `${what} value must be of type ${node.type} ${kind} in ${path}`))
}

function inRange(node: SchemaNode, value: number | bigint, format: string): boolean {
  if (node.type === 'number') return format !== 'float' || Math.abs(Number(value)) <= LARGEST_FLOAT
  if (node.type !== 'integer') return true
  if (format !== 'int32' && Number.isSafeInteger(value)) return true
  // A whole number beyond 64 bits counts as a fraction.
  if (typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 2 ** 63)) return false
  const [low, high] = RANGES.get(format === 'int32' ? 'int32' : 'int64')!
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
