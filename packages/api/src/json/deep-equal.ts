import { isExactNumber } from './exact-number.ts'
import { getKey, type JsonObject } from './json-value.ts'

/**
 * Whether two values are the same JSON. The order of items matters, and the order of keys does not. A key
 * with the value `undefined` counts as absent.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => deepEqual(item, right[index]))
  }
  if (isExactNumber(left) || isExactNumber(right)) {
    return isExactNumber(left) && isExactNumber(right) && left.rawJSON === right.rawJSON
  }
  return equalObjects(left as JsonObject, right as JsonObject)
}

/** JSON has no inherited keys, and `for … in` makes no list of the keys. */
function equalObjects(left: JsonObject, right: JsonObject): boolean {
  let present = 0
  for (const key in left) {
    const value = left[key]
    if (!deepEqual(value, getKey(right, key))) return false
    if (value !== undefined) present++
  }
  for (const key in right) if (right[key] !== undefined) present--
  return present === 0
}
