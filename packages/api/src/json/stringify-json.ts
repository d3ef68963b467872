import { exactInteger } from './exact-number.ts'

/** A number that may be too long to be exact. The pattern may also match a part of a text. */
const LONG_NUMBER = /(?:^|"\s*:|[[,])\s*-?\d{16}/
const MOST = 2 ** 63

/**
 * Like `JSON.stringify`, but writes whole numbers beyond 2^53 with all their digits. JavaScript rounds such a number to
 * about 16 digits and fills it up with zeros, so that -2^63 and 2^63-1 would no longer fit into 64 bits when they are
 * read again.
 */
export function stringifyJson(value: unknown): string {
  const text = JSON.stringify(value)
  return LONG_NUMBER.test(text) ? JSON.stringify(value, exact) : text
}

function exact(_: string, value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value
  // The nearest number to 2^63-1 is 2^63, which is one too many.
  if (value === MOST) return exactInteger(2n ** 63n - 1n)
  return exactInteger(BigInt(value))
}
