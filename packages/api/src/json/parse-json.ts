import { hasEscapedKey, readByKey } from './escaped-keys.ts'
import { exactInteger } from './exact-number.ts'

/** The shortest whole number that may be beyond 2^53 has sixteen digits. The pattern may also match a part of a text. */
const LONG_NUMBER = /(?:^|"\s*:|[[,])\s*-?\d{16}/

/** The context that JSON.parse passes to its reviver for each value. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * Like `JSON.parse`, but 64-bit integers that JavaScript cannot hold exactly stay exact: they become values that
 * {@link isExactNumber} recognizes. Texts without long numbers, which are nearly all, cost nothing extra.
 */
export function parseJson(text: string): unknown {
  const value = parse(text)
  return hasEscapedKey(text) ? readByKey(text, parse) : value
}

function parse(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1])
}

const exact: Reviver = (_, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/.test(source) ? exactInteger(BigInt(source)) : value
}
