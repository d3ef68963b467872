import { HomeostatError } from '../errors/index.ts'
import type { Der } from './der.ts'

/** A value that was read from DER. */
export interface DerValue {
  readonly tag: number
  readonly content: Der
  /** The value with its tag and length. */
  readonly whole: Der
}

/** The values that stand one after another. Throws where the bytes are not DER. */
export function readValues(bytes: Der): DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length;) {
    const value = readValue(bytes, at)
    values.push(value)
    at += value.whole.length
  }
  return values
}

/** The parts of a sequence or a set. */
export function partsOf(value: DerValue | undefined): DerValue[] {
  if (!value) throw malformed('a value is missing')
  return readValues(value.content)
}

/** An object identifier such as `2.5.29.17`. */
export function identifierOf(value: DerValue | undefined): string {
  if (value?.tag !== 0x06) throw malformed('an object identifier is missing')
  const [first = 0, ...rest] = numbersOf(value.content)
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...rest].join('.')
}

/** The bits of a bit string, which are whole bytes. */
export function bitsOf(value: DerValue | undefined): Der {
  if (value?.tag !== 0x03 || value.content[0] !== 0) throw malformed('a bit string is missing')
  return value.content.subarray(1)
}

/** A text of any of the types that names use. */
export function textOf({ tag, content }: DerValue): string {
  // A BMPString has two bytes for each character, the higher first.
  return new TextDecoder(tag === 0x1e ? 'utf-16be' : 'utf-8').decode(content)
}

function readValue(bytes: Der, start: number): DerValue {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw malformed('a value is cut off')
  let at = start + 2
  let length = first
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) throw malformed('a length is not in DER')
    length = 0
    for (const byte of bytes.subarray(at, at + count)) length = length * 256 + byte
    at += count
  }
  const end = at + length
  if (end > bytes.length) throw malformed('a value is cut off')
  return { tag, content: bytes.subarray(at, end), whole: bytes.subarray(start, end) }
}

function numbersOf(bytes: Der): number[] {
  const numbers: number[] = []
  let number = 0
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0
  }
  return numbers
}

export function malformed(why: string): HomeostatError {
  return new HomeostatError('CERTIFICATE_REQUEST_MALFORMED', `the certificate request cannot be read: ${why}`)
}
