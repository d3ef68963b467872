import { isExactNumber } from './exact-number.ts'

/** A JSON object. Its keys may be any text, also `__proto__` and `constructor`. A key with the value `undefined` counts as absent. */
export type JsonObject = Record<string, unknown>

/** Whether a value is a JSON object: not a list, null or a number that JavaScript cannot hold exactly. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

/** The value of a key that the object has itself. Inherited names such as `constructor` are absent. */
export function getKey<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets a key of any name. Plain assignment to `__proto__` would set the prototype. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/** A copy of a JSON value that shares nothing with it, without keys whose value is `undefined`. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item)) as T
  if (isExactNumber(value)) return value
  const copy: JsonObject = {}
  // JSON has no inherited keys, and this way no list of them is made.
  for (const key in value) {
    const entry = (value as JsonObject)[key]
    if (entry !== undefined) setKey(copy, key, copyJson(entry))
  }
  return copy as T
}
