/**
 * Bytes as text and back without loss. What is not UTF-8 becomes lone surrogates (U+DC80 to U+DCFF), one for each byte,
 * as other systems do it too, so that a variable can hold any file.
 */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The text of bytes, whatever they are. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return decodeLossless(bytes)
  }
}

/** The bytes that a text stands for. */
export function encodeText(text: string): Uint8Array {
  if (!/[\uDC80-\uDCFF]/.test(text)) return encoder.encode(text)
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00)
    else bytes.push(...encoder.encode(character))
  }
  return Uint8Array.from(bytes)
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

/** Whether the last character is a backslash that no other one takes its meaning from. */
export function isContinued(text: string): boolean {
  let count = 0
  while (text[text.length - 1 - count] === '\\') count++
  return count % 2 === 1
}

/** One byte as text. */
export function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)
}

/** Pieces of bytes as one. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1 && chunks[0]) return chunks[0]
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

function decodeLossless(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at)
    if (length === 0) pieces.push(byteText(bytes[at++] ?? 0))
    else pieces.push(decoder.decode(bytes.subarray(at, (at += length))))
  }
  return pieces.join('')
}

/** How many bytes the character here has; 0 where the bytes are none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || first > 0xf4 || at + length > bytes.length) return 0
  try {
    decoder.decode(bytes.subarray(at, at + length))
    return length
  } catch {
    return 0
  }
}
