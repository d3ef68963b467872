import { isExactNumber } from '../json/exact-number.ts'

/** A JSON object. A key with the value `undefined` counts as absent. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object, and not a list, null or a number that JavaScript cannot hold exactly. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

/** The own value at a key: never one that the object inherits. */
export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/**
 * Sets an own key. Plain assignment would take `__proto__`, which is an ordinary key in JSON, for the
 * prototype.
 */
export function setOwnValue(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/** A copy that shares nothing with the value, without what is `undefined`. */
export function copyJson<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T
  if (!isObject(value)) return value
  const copy: JsonObject = {}
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined) setOwnValue(copy, key, copyJson(entry))
  }
  return copy as T
}
