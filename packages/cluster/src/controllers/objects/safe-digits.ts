/** Characters that make no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** A hash as the end of a name: its digits in characters that cannot spell anything. */
export function safeDigits(hash: number): string {
  return String(hash).replace(/\d/g, (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length] ?? digit)
}
