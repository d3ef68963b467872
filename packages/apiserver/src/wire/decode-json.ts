import { exactInteger, hasEscapedKey, isExactNumber, readByKey, type ExactNumber } from '@homeostat/api'
import type { TypeSchema } from '../schema/index.ts'
import { atOnce, isLarge, type InParts } from '../work/index.ts'
import { BodyError, DEPTH_LIMIT, tooDeep } from './body-error.ts'
import { jsonSyntaxProblem } from './json/json-syntax.ts'
import { everyValue, firstValues, mergeDuplicates } from './merge-duplicates.ts'
import { duplicateFields } from './json/scan-json.ts'

/** A parsed value. */
export interface DecodedJson {
  readonly value: unknown
  /** The warnings about duplicate keys. The last value of a key counts. */
  readonly duplicates: readonly string[]
  /** Whether it has numbers that are written in another way than JavaScript writes them: see {@link plainNumbers}. */
  readonly oddNumbers: boolean
  /** The value with the first values of duplicate keys, if there are any. */
  readonly first?: unknown
  /** The value with all values of duplicate keys, in the order of the text, if there are any. */
  readonly every?: unknown
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Matches a number that may be long, or has a point or an exponent. It may also match inside of a text. */
const ODD_NUMBER = /(?:^|"\s*:|[[,])\s*-?(?:\d{16}|\d+[.eE])/
/** A lone surrogate. */
const SURROGATE = /\\u[dD][89a-fA-F]/

/**
 * Parses JSON. With `native`, duplicate keys are merged as Go does when it decodes into a struct. With `plain`,
 * numbers lose the way in which they were written. Fails with a {@link BodyError} with Go's message.
 */
export function decodeJson(body: Uint8Array, native = false): DecodedJson {
  return atOnce(decodeJsonInParts(body, native))
}

/** Does the same in parts. */
export function* decodeJsonInParts(
  body: Uint8Array,
  native = false,
  plain = false,
  schema?: TypeSchema,
): InParts<DecodedJson> {
  const text = decoder.decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BodyError(jsonSyntaxProblem(body) ?? (error instanceof Error ? error.message : String(error)))
  }
  const large = isLarge(body.length)
  if (large) yield
  const counts = countParts(value, () => jsonSyntaxProblem(body))
  if (large) yield
  const { keys, escapes } = scanBytes(body)
  const duplicates = counts.keys === keys ? [] : duplicateFields(text)
  if (large) yield
  // The number of a duplicate key may be missing from the value.
  const numbers = plain && duplicates.length === 0 ? counts.changed : counts.numbers + duplicates.length
  const oddNumbers = numbers > 0 && ODD_NUMBER.test(text)
  let first: unknown
  let every: unknown
  if (duplicates.length > 0) first = firstValues(text, parseAsWritten)
  if (native && duplicates.length > 0) {
    value = mergeDuplicates(text, parseAsWritten, schema)
    every = everyValue(text, parseAsWritten)
  } else if (escapes && hasEscapedKey(text)) {
    value = readByKey(text, oddNumbers ? parseAsWritten : JSON.parse)
  } else if (oddNumbers) value = parseAsWritten(text)
  if (large && oddNumbers) yield
  if (escapes && SURROGATE.test(text)) value = wellFormed(value)
  return {
    value,
    duplicates,
    oddNumbers,
    ...(first !== undefined && { first }),
    ...(every !== undefined && { every }),
  }
}

/** Fails where a value is nested too deep. */
export function checkDepth(value: unknown): void {
  countParts(value, () => undefined)
}

/** The counts of a value's parts. */
interface PartCounts {
  keys: number
  numbers: number
  /** How many numbers may have another value in JavaScript than {@link plainNumbers} gives them. */
  changed: number
}

/** Counts the parts of a value. Fails if it is nested too deep, with the message of `problem` if there is one. */
function countParts(value: unknown, problem: () => string | undefined): PartCounts {
  const counts: PartCounts = { keys: 0, numbers: 0, changed: 0 }
  addCounts(counts, value, 0, problem)
  return counts
}

function addCounts(
  counts: PartCounts,
  part: unknown,
  depth: number,
  problem: () => string | undefined,
): void {
  if (typeof part === 'number') {
    counts.numbers++
    if (isChanged(part)) counts.changed++
  }
  if (typeof part !== 'object' || part === null) return
  if (depth >= DEPTH_LIMIT) throw tooDeep(problem())
  if (Array.isArray(part)) {
    for (let index = 0; index < part.length; index++) addCounts(counts, part[index], depth + 1, problem)
  } else {
    for (const key in part) {
      counts.keys++
      const value = (part as Record<string, unknown>)[key]
      if (typeof value !== 'string') addCounts(counts, value, depth + 1, problem)
    }
  }
}

/** Whether a parsed number may differ from its text: beyond 2^53, infinite, or a negative zero. */
function isChanged(number: number): boolean {
  return !(Math.abs(number) <= Number.MAX_SAFE_INTEGER) || Object.is(number, -0)
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

/**
 * Counts the strings with a colon after them, and whether there are escapes. A count that differs from the number of
 * keys shows that there may be duplicates.
 */
function scanBytes(json: Uint8Array): { keys: number; escapes: boolean } {
  let [keys, escapes] = [0, false]
  for (let position = 0; position < json.length; position++) {
    const byte = json[position]
    if (byte === BACKSLASH) {
      escapes = true
      position++
    } else if (byte === QUOTE) {
      let next = position + 1
      while (isSpace(json[next])) next++
      if (json[next] === COLON) keys++
    }
  }
  return { keys, escapes }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
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

/** Replaces lone surrogates by the replacement character. */
function wellFormed(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(
    /(\\\\)|\\ud[89a-f][0-9a-f]{2}/g,
    (_, slash?: string) => slash ?? '\ufffd',
  )
  return parseAsWritten(text)
}

/**
 * Converts numbers to the form that the server stores: fractions as JavaScript and Go write them, and whole numbers
 * of 64 bits exactly. Fails with a {@link BodyError} on an infinite number. Changes the value in place where it can.
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
      // An assignment to `__proto__` would set the prototype. Values below it are changed in place.
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
