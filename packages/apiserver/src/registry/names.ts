import type { Clock } from '@homeostat/api'

/** Letters and digits that spell no words and look unlike each other. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
const LONGEST_GENERATED = 63

/** A name that begins with a prefix: the server's answer to `metadata.generateName`. */
export function generateName(prefix: string, clock: Clock): string {
  let name = prefix.slice(0, LONGEST_GENERATED - SUFFIX_LENGTH)
  for (let index = 0; index < SUFFIX_LENGTH; index++) {
    name += ALPHABET[Math.floor(clock.random() * ALPHABET.length)]
  }
  return name
}

/** A version 4 UUID whose chance comes from the clock. */
export function uid(clock: Clock): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(clock.random() * 16))
  digits[12] = 4
  digits[16] = 8 + ((digits[16] ?? 0) & 3)
  const text = digits.map((digit) => digit.toString(16)).join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  )
}
