import { exactInteger, hasEscapedKey, isExactNumber, readByKey, type ExactNumber } from '@homeostat/api'
import { atOnce, type InParts } from '../work/index.ts'
import { BodyError, DEPTH_LIMIT, tooDeep } from './body-error.ts'
import { jsonSyntaxProblem } from './json/json-syntax.ts'
import { firstValues, mergeDuplicates } from './merge-duplicates.ts'
import { duplicateFields } from './json/scan-json.ts'

/** A value that was read. */
export interface DecodedJson {
  readonly value: unknown
  /** What stands twice, of which the last counts: in the words in which a server warns of it. */
  readonly duplicates: readonly string[]
  /** Whether it has numbers that are written in another way than JavaScript writes them: see {@link plainNumbers}. */
  readonly oddNumbers: boolean
  /** The value with what stood in it first, where something stands twice and the last counts. */
  readonly first?: unknown
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** A number that may be long, or has a point or an exponent. It may also find what only looks so, in a text. */
const ODD_NUMBER = /(?:^|"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])/
/**
 * A number that JavaScript may read as another one than {@link plainNumbers} makes of it: one that is long, zero with a
 * sign, or far from one. It may also find what only looks so, in a text.
 */
const CHANGED_NUMBER = /\d{16}|-0(?!\.\d*[1-9])|\d[eE][+-]?\d{3}/
/** Half of a pair of surrogates. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/**
 * Reads JSON; `native` as Go reads it into a type that it knows, `plain` where only the value of a number counts and not how
 * it is written. Fails with a {@link BodyError} as Go would word it.
 */
export function decodeJson(body: Uint8Array, native = false): DecodedJson {
  return atOnce(decodeJsonInParts(body, native))
}

/** The same in parts. */
export function* decodeJsonInParts(body: Uint8Array, native = false, plain = false): InParts<DecodedJson> {
  const text = decoder.decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BodyError(jsonSyntaxProblem(body) ?? (error as Error).message)
  }
  yield
  const keys = countKeys(value, () => jsonSyntaxProblem(body))
  yield
  const duplicates = keys === possibleKeys(text) ? [] : duplicateFields(text)
  yield
  const oddNumbers = ODD_NUMBER.test(text) && !(plain && !CHANGED_NUMBER.test(text))
  let first: unknown
  if (duplicates.length > 0) first = firstValues(text, parseAsWritten)
  if (native && duplicates.length > 0) {
    value = mergeDuplicates(text, parseAsWritten)
  } else if (hasEscapedKey(text)) {
    value = readByKey(text, oddNumbers ? parseAsWritten : JSON.parse)
  } else if (oddNumbers) value = parseAsWritten(text)
  if (oddNumbers) yield
  if (SURROGATE.test(text)) value = wellFormed(value)
  return { value, duplicates, oddNumbers, ...(first !== undefined && { first }) }
}

/** How many keys a value has in all. Fails where it is nested too deep, with what `problem` says where it says something. */
export function countKeys(value: unknown, problem: () => string | undefined = () => undefined): number {
  let count = 0
  const walk = (part: unknown, depth: number): void => {
    if (typeof part !== 'object' || part === null) return
    if (depth >= DEPTH_LIMIT) {
      throw tooDeep(problem())
    }
    if (Array.isArray(part)) for (const item of part) walk(item, depth + 1)
    else {
      for (const key in part) {
        count++
        walk((part as Record<string, unknown>)[key], depth + 1)
      }
    }
  }
  walk(value, 0)
  return count
}

/** How many strings with a colon after them a text seems to have: as many as keys, or some are lost or only look so. */
function possibleKeys(text: string): number {
  let count = 0
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (text.charCodeAt(quote - 1) === 92 && isEscaped(text, quote)) continue
    let next = quote + 1
    let code = text.charCodeAt(next)
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++next)
    if (code === 58) count++
  }
  return count
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, position: number): boolean {
  let start = position
  while (text.charCodeAt(start - 1) === 92) start--
  return (position - start) % 2 === 1
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** Numbers that JavaScript would write in another way stay as they are written. */
const asWritten: Reviver = (_, value, context) => {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined) return value
  // 2^53 is read exactly and is still kept as a long number, as it is when it is read from the store.
  if (String(value) === source && !(Number.isInteger(value) && !Number.isSafeInteger(value))) return value
  return source === '-0' ? 0 : raw(source)
}

function raw(source: string): ExactNumber {
  return (JSON as typeof JSON & { rawJSON(text: string): ExactNumber }).rawJSON(source)
}

function parseAsWritten(text: string): unknown {
  return JSON.parse(text, asWritten as Parameters<typeof JSON.parse>[1])
}

/** Halves of pairs of surrogates become the sign for what cannot be read. */
function wellFormed(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(
    /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g,
    (_, slash?: string) => slash ?? '\ufffd',
  )
  return parseAsWritten(text)
}

/**
 * The value with numbers as the server keeps them: fractions as JavaScript writes them, which is as Go does, and whole numbers of 64 bits
 * exactly. Fails with a {@link BodyError} on a number that has no end. Changes the value in place where it can.
 */
export function plainNumbers(value: unknown): unknown {
  if (isExactNumber(value)) {
    const source = value.rawJSON
    if (/^-?\d+$/.test(source)) return exactInteger(BigInt(source))
    const number = Number(source)
    if (Number.isFinite(number)) return number === 0 ? 0 : number
    throw new BodyError(`json: cannot unmarshal number ${source} into Go value of type float64`)
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = plainNumbers(item)
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>
    for (const key of Object.keys(object)) {
      const before = object[key]
      const plain = plainNumbers(before)
      // Plain assignment to __proto__ would do something else; nothing below it needs to be replaced to change.
      if (plain !== before)
        Object.defineProperty(object, key, {
          value: plain,
          enumerable: true,
          writable: true,
          configurable: true,
        })
    }
  }
  return value
}
