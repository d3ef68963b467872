/**
 * A fingerprint of a text, 128 bits in hexadecimal: the same text has the same one in every process. It
 * tells versions of a document apart; it is no protection against a forger.
 */
export function digest(text: string): string {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x3c6ef372]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code ^ (a >>> 17), 0x85ebca6b)
    c = Math.imul(c ^ code ^ (b >>> 15), 0xc2b2ae35)
    d = Math.imul(d ^ code ^ (c >>> 13), 0x27d4eb2f)
  }
  return [a, b, c, d]
    .map((lane) => ((lane ^ (lane >>> 16)) >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase()
}
