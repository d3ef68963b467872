/** The tag of a document: the SHA-512 of its text, in hexadecimal. */
export async function digest(document: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const input = typeof document === 'string' ? new TextEncoder().encode(document) : document
  const bytes = await crypto.subtle.digest('SHA-512', input)
  return [...new Uint8Array(bytes)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()
}
