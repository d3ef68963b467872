/** Characters that do not form words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** A hash as the suffix of a name, in characters that do not form words. */
export function safeDigits(hash: number): string {
  return String(hash).replace(/\d/g, (digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length] ?? digit)
}
