import { keyIdentity } from './map-value.ts'
import {
  DurationValue,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts'

/** Whether two values are equal. Numbers are equal by their value whatever their type; values of other types never are. */
export function equalValues(a: Value, b: Value): boolean {
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b
  if (isNumeric(a)) return isNumeric(b) && compareNumbers(a, b) === 0
  if (a instanceof ListValue) return b instanceof ListValue && equalLists(a, b)
  if (a instanceof MapValue) return b instanceof MapValue && equalMaps(a, b)
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0
  if (a instanceof DurationValue) return b instanceof DurationValue && a.nanos === b.nanos
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type.name === b.type.name
  if (a instanceof OptionalValue) {
    if (!(b instanceof OptionalValue)) return false
    if (a.value === undefined || b.value === undefined) return a.value === b.value
    return equalValues(a.value, b.value)
  }
  return a instanceof OpaqueValue && b instanceof OpaqueValue && a.equals(b)
}

function equalLists(a: ListValue, b: ListValue): boolean {
  const own = a.equals(b)
  if (own !== undefined) return own
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) {
    if (!equalValues(a.at(index), b.at(index))) return false
  }
  return true
}

function equalMaps(a: MapValue, b: MapValue): boolean {
  const own = a.equals(b)
  if (own !== undefined) return own
  if (a.size !== b.size) return false
  for (const key of a.keys()) {
    const left = a.get(key)
    const right = b.get(key)
    if (left === undefined || right === undefined || !equalValues(left, right)) return false
  }
  return true
}

/** A number of any of the three types. */
type Numeric = bigint | number | Uint

/** Whether a value is a number. */
function isNumeric(value: Value): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint
}

/** Compares two numbers: -1, 0 or 1; `undefined` if one of them is NaN. */
function compareNumbers(a: Numeric, b: Numeric): number | undefined {
  let left = a instanceof Uint ? a.value : a
  let right = b instanceof Uint ? b.value : b
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined
  // Compares a whole number with a fraction as fractions, although that may lose digits.
  if (typeof left !== typeof right) [left, right] = [Number(left), Number(right)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** The order of values of the same type, where the type has one; an error where it has none. */
export function compareValues(a: Value, b: Value): number | undefined | EvaluationError {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b)
  if (a instanceof DurationValue && b instanceof DurationValue) return compareNumbers(a.nanos, b.nanos)
  if (a instanceof Timestamp && b instanceof Timestamp) return compareNumbers(a.nanos, b.nanos)
  return new EvaluationError('no such overload')
}

/** Texts in the order of their characters, as UTF-8 has it: JavaScript's own order differs beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    const high = (code: number): boolean => code >= 0xd800 && code <= 0xdfff
    if (high(left) !== high(right)) return high(left) ? 1 : -1
    return left < right ? -1 : 1
  }
  return a.length < b.length ? -1 : 1
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    if (a[index] !== b[index]) return a[index]! < b[index]! ? -1 : 1
  }
  return Math.sign(a.length - b.length)
}

/** Whether a list holds a value. */
export function listContains(list: ListValue, value: Value): boolean {
  for (const element of list) if (equalValues(element, value)) return true
  return false
}

/** A set that finds scalars at once and anything else by comparing. */
export class ValueSet {
  readonly #keys = new Set<unknown>()
  readonly #others: Value[] = []

  /** False where the value is in it already. */
  add(value: Value): boolean {
    if (this.has(value)) return false
    const identity = keyIdentity(value)
    if (identity === undefined) this.#others.push(value)
    else this.#keys.add(identity)
    return true
  }

  has(value: Value): boolean {
    const identity = keyIdentity(value)
    if (identity !== undefined) return this.#keys.has(identity)
    return this.#others.some((other) => equalValues(other, value))
  }
}
