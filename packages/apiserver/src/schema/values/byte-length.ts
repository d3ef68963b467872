const encoder = new TextEncoder()

/** The length of a text in bytes of UTF-8, by which Kubernetes limits texts. */
export function byteLength(text: string): number {
  return encoder.encode(text).length
}
