/** A value in DER, the encoding of certificates. */
export type Der = Uint8Array

const encoder = new TextEncoder()

/** A tag, the length, and the content. */
function tagged(tag: number, ...content: readonly Der[]): Der {
  const length = content.reduce((sum, part) => sum + part.length, 0)
  const lengthBytes = length < 0x80 ? [length] : longLength(length)
  const der = new Uint8Array(1 + lengthBytes.length + length)
  der[0] = tag
  der.set(lengthBytes, 1)
  let offset = 1 + lengthBytes.length
  for (const part of content) {
    der.set(part, offset)
    offset += part.length
  }
  return der
}

export const sequence = (...parts: readonly Der[]): Der => tagged(0x30, ...parts)
export const set = (...parts: readonly Der[]): Der => tagged(0x31, ...parts)
export const octetString = (bytes: Der): Der => tagged(0x04, bytes)
export const utf8String = (text: string): Der => tagged(0x0c, encoder.encode(text))
export const boolean = (value: boolean): Der => tagged(0x01, Uint8Array.of(value ? 0xff : 0))

/** A tag that the context gives its meaning; `constructed` when it holds whole values. */
export const contextual = (number: number, constructed: boolean, ...content: readonly Der[]): Der =>
  tagged((constructed ? 0xa0 : 0x80) | number, ...content)

/** A BIT STRING. The last `unused` bits are padding. */
export const bitString = (bytes: Der, unused = 0): Der => tagged(0x03, Uint8Array.of(unused), bytes)

/** A number that is not negative, given as its bytes, the highest first. */
export function integer(bytes: Der): Der {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const rest = bytes.subarray(start)
  // A leading bit of 1 would read as a sign.
  return (rest[0] ?? 0) & 0x80 ? tagged(0x02, Uint8Array.of(0), rest) : tagged(0x02, rest)
}

/** An object identifier such as `2.5.29.17`. */
export function objectIdentifier(text: string): Der {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A time in UTC, from RFC 3339. Years until 2049 have another form. */
export function time(text: string): Der {
  const digits = `${text.replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return Number(text.slice(0, 4)) < 2050
    ? tagged(0x17, encoder.encode(digits.slice(2)))
    : tagged(0x18, encoder.encode(digits))
}

function longLength(length: number): number[] {
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}

function base128(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest % 128) | 0x80)
  return bytes
}
