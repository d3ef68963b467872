import { isExactNumber } from '../json/exact-number.ts'
import { isObject, ownValue } from './json-value.ts'

/**
 * Whether two values are the same JSON: the order of keys does not matter, that of items does, and a key
 * with the value `undefined` is one that is absent.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => deepEqual(item, right[index]))
  }
  if (!isObject(left) || !isObject(right)) {
    return isExactNumber(left) && isExactNumber(right) && left.rawJSON === right.rawJSON
  }
  for (const [key, value] of Object.entries(left)) {
    if (!deepEqual(value, ownValue(right, key))) return false
  }
  return Object.entries(right).every(([key, value]) => value === undefined || Object.hasOwn(left, key))
}
