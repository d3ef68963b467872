/** One array of all the bytes; a single part is returned itself, without a copy. */
export function joinBytes<B extends ArrayBufferLike>(
  parts: readonly Uint8Array<B>[],
): Uint8Array<B | ArrayBuffer> {
  const [first] = parts
  if (first && parts.length === 1) return first
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
