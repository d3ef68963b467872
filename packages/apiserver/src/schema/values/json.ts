import {
  isExactNumber,
  isJsonObject as isObject,
  setKey,
  type ExactNumber,
  type JsonObject,
} from '@homeostat/api'

export {
  copyJson,
  deepEqual as equalJson,
  getKey,
  isJsonObject as isObject,
  setKey,
  type JsonObject,
} from '@homeostat/api'
import { keepSentEmpty } from './sent-empty.ts'

/** A value as an object; an empty object for other values, so that callers need not check each step of a path. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** A value as a list; an empty list for other values. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A scalar as text; an empty text for other values. */
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

const NONE: ReadonlySet<string> = new Set()

function withNumbers<T>(
  value: T,
  convert: (exact: ExactNumber) => number | bigint,
  kept: ReadonlySet<string> = NONE,
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
    if (typeof before !== 'object') continue
    const part = kept.has(key) ? before : withNumbers(before, convert, kept)
    if (part === before) continue
    copy ??= keepSentEmpty({ ...(value as JsonObject) }, value)
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
