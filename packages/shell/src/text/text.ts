/**
 * Bytes as text and back without loss. Bytes that are not UTF-8 become lone surrogates (U+DC80 to U+DCFF), one for
 * each byte, as in Python, so that a variable can hold the bytes of any file.
 */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The text of any bytes. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return decodeLossless(bytes)
  }
}

/** The bytes that a text stands for. */
export function encodeText(text: string): Uint8Array {
  if (!/[\uDC80-\uDCFF]/u.test(text)) return encoder.encode(text)
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code < 0x80) bytes[length++] = code
    else if (code >= 0xdc80 && code <= 0xdcff) bytes[length++] = code - 0xdc00
    else if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6)
      bytes[length++] = 0x80 | (code & 0x3f)
    } else if (code < 0x10000) {
      bytes[length++] = 0xe0 | (code >> 12)
      bytes[length++] = 0x80 | ((code >> 6) & 0x3f)
      bytes[length++] = 0x80 | (code & 0x3f)
    } else {
      bytes[length++] = 0xf0 | (code >> 18)
      bytes[length++] = 0x80 | ((code >> 12) & 0x3f)
      bytes[length++] = 0x80 | ((code >> 6) & 0x3f)
      bytes[length++] = 0x80 | (code & 0x3f)
      at++
    }
  }
  return bytes.slice(0, length)
}

/** The code points of a text, each alone. */
export function charactersOf(text: string): string[] {
  return Array.from(text)
}

/** A text without the newlines at its end. */
export function withoutNewlines(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return text.slice(0, end)
}

/** Whether the last character is a backslash that is not escaped itself. */
export function isContinued(text: string): boolean {
  let count = 0
  while (text[text.length - 1 - count] === '\\') count++
  return count % 2 === 1
}

/** One byte as text. */
export function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)
}

/** How many code units become text at once. */
const UNITS = 8_192

function decodeLossless(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length;) {
    const size = sequenceAt(bytes, at)
    if (size === 0) units[length++] = bytes[at] === undefined ? 0 : 0xdc00 + (bytes[at] ?? 0)
    else if (size === 1) units[length++] = bytes[at] ?? 0
    else {
      const code = codePoint(bytes, at, size)
      if (code < 0x10000) units[length++] = code
      else {
        units[length++] = 0xd800 + ((code - 0x10000) >> 10)
        units[length++] = 0xdc00 + ((code - 0x10000) & 0x3ff)
      }
    }
    at += size || 1
  }
  let text = ''
  for (let at = 0; at < length; at += UNITS) {
    text += String.fromCharCode(...units.subarray(at, Math.min(at + UNITS, length)))
  }
  return text
}

/** The number of bytes of the character here; 0 where the bytes are not UTF-8. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || first > 0xf4 || at + length > bytes.length) return 0
  for (let next = at + 1; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0
  // Not in their shortest form, halves of surrogates, or beyond Unicode.
  const code = codePoint(bytes, at, length)
  if (length === 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) return 0
  return length === 4 && (code < 0x10000 || code > 0x10ffff) ? 0 : length
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  let code = (bytes[at] ?? 0) & (length === 2 ? 0x1f : length === 3 ? 0x0f : 0x07)
  for (let next = at + 1; next < at + length; next++) code = (code << 6) | ((bytes[next] ?? 0) & 0x3f)
  return code
}
