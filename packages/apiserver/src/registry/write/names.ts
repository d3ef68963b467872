import type { Clock } from '@homeostat/api'

/** Letters and digits that spell no words and look unlike each other. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'
const SUFFIX_LENGTH = 5
const LONGEST_GENERATED = 63
const HEX = '0123456789abcdef'

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
  let text = ''
  for (let index = 0; index < 32; index++) {
    const chance = Math.floor(clock.random() * 16)
    const digit = index === 12 ? 4 : index === 16 ? 8 + (chance & 3) : chance
    if (index === 8 || index === 12 || index === 16 || index === 20) text += '-'
    text += HEX[digit]
  }
  return text
}
