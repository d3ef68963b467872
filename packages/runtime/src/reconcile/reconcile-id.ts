import type { Clock } from '@homeostat/api'

/** The bytes from 0 to 255 in hexadecimal. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A random UUID (version 4) from the clock's randomness, which ties the log lines of one reconcile together. */
export function reconcileId(clock: Clock): string {
  const [a, b, c, d] = [word(clock), word(clock), word(clock), word(clock)]
  const version = (b & 0xffff_0fff) | 0x4000
  const variant = (c & 0x3fff_ffff) | 0x8000_0000
  return `${hex(a)}-${high(version)}-${low(version)}-${high(variant)}-${low(variant)}${hex(d)}`
}

function word(clock: Clock): number {
  return Math.floor(clock.random() * 0x1_0000_0000)
}

function hex(word: number): string {
  return high(word) + low(word)
}

function high(word: number): string {
  return HEX[word >>> 24]! + HEX[(word >>> 16) & 0xff]!
}

function low(word: number): string {
  return HEX[(word >>> 8) & 0xff]! + HEX[word & 0xff]!
}
