import type { Clock } from '@homeostat/api'

/** Letters and digits that form no words and are easy to tell apart. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
const LONGEST_GENERATED = 63
const HEXADECIMAL = '0123456789abcdef'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * The name that the server generates for `metadata.generateName`: the prefix, cut where it has too many bytes, and a random
 * suffix.
 */
export function generateName(prefix: string, clock: Clock): string {
  let name = beginningOf(prefix, LONGEST_GENERATED - SUFFIX_LENGTH)
  for (let index = 0; index < SUFFIX_LENGTH; index++) {
    name += ALPHABET[Math.floor(clock.random() * ALPHABET.length)]
  }
  return name
}

function beginningOf(text: string, bytes: number): string {
  // A text has no more UTF-16 units than bytes.
  if (text.length * 3 <= bytes) return text
  return decoder.decode(encoder.encode(text).subarray(0, bytes))
}

/** A version 4 UUID from the clock's randomness. */
export function uid(clock: Clock): string {
  let text = ''
  for (let index = 0; index < 16; index++) {
    const chance = Math.floor(clock.random() * 16)
    const digit = index === 6 ? 4 : index === 8 ? 8 + (chance & 3) : chance
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-'
    text += HEXADECIMAL.charAt(digit) + HEXADECIMAL.charAt(Math.floor(clock.random() * 16))
  }
  return text
}
