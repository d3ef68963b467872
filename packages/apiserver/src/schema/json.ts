import { isExactNumber, type ExactNumber } from '@homeostat/api'

/** A JSON object. Its keys may be any text, also `__proto__` and `constructor`. */
export type JsonObject = Record<string, unknown>

/** Whether a value is a JSON object; a number that JavaScript cannot hold exactly is none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

/** A value as an object, or an empty one where it is none: to read on without asking at every step. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** A value as a list, or an empty one where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A copy of a JSON value that shares nothing with it. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => copyJson(part)) as T
  if (isExactNumber(value)) return value
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) setKey(copy, key, copyJson((value as JsonObject)[key]))
  return copy as T
}

/** Sets a key whatever its name: plain assignment to `__proto__` does something else. */
export function setKey(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  } else {
    target[key] = value
  }
}

/** The value of a key that the object has itself; inherited names such as `constructor` are absent. */
export function getKey<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Whether two JSON values are the same. The order of keys does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((part, index) => equalJson(part, b[index]))
  }
  if (isExactNumber(a) || isExactNumber(b))
    return isExactNumber(a) && isExactNumber(b) && a.rawJSON === b.rawJSON
  const left = a as JsonObject
  const right = b as JsonObject
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && equalJson(left[key], right[key]))
}

/** A single value as text, and empty text for anything else: for names that come from outside. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : ''
}

/**
 * A value in which whole numbers beyond 2^53 are bigints: these compare with numbers, and messages show them exactly. The
 * value itself where it holds none.
 */
export function withBigInts<T>(value: T): T {
  return withNumbers(value, (exact) => (isWhole(exact) ? BigInt(exact.rawJSON) : Number(exact.rawJSON)))
}

/**
 * A schema whose bounds are the nearest numbers that JavaScript can hold exactly. Values that it holds, such as defaults,
 * stay as they are.
 */
export function withNearestNumbers<T>(value: T): T {
  return withNumbers(value, (exact) => Number(exact.rawJSON), VALUES)
}

const VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'example'])

function withNumbers<T>(
  value: T,
  convert: (exact: ExactNumber) => number | bigint,
  kept: ReadonlySet<string> = new Set(),
): T {
  if (typeof value !== 'object' || value === null) return value
  if (isExactNumber(value)) return convert(value) as T
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined
    for (let index = 0; index < value.length; index++) {
      const part: unknown = withNumbers(value[index], convert, kept)
      if (part !== value[index]) (copy ??= [...(value as unknown[])])[index] = part
    }
    return (copy ?? value) as T
  }
  let copy: JsonObject | undefined
  for (const key of Object.keys(value)) {
    const before = (value as JsonObject)[key]
    const part = kept.has(key) ? before : withNumbers(before, convert, kept)
    if (part === before) continue
    copy ??= { ...(value as JsonObject) }
    setKey(copy, key, part)
  }
  return (copy ?? value) as T
}

/** Whether an exact number has digits alone: a text that was just read may also be `1.0` or `1e3`. */
function isWhole({ rawJSON }: ExactNumber): boolean {
  return /^-?\d+$/.test(rawJSON)
}

/** Whether a value is a number or a bigint. Both compare with numbers; a bigint takes no part in their arithmetic. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** A whole number of any size, exactly; 0 where there is none. */
export function integerOf(value: unknown): bigint {
  if (isExactNumber(value) && isWhole(value)) return BigInt(value.rawJSON)
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n
}
