import type { ApiResponse } from '@homeostat/api'

/**
 * The whole body of an answer as bytes. A stream that ends because `signal` aborted is not whole: then it
 * rejects with the signal's reason.
 */
export async function readBody(
  response: ApiResponse,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Uint8Array> {
  if (response.body instanceof Uint8Array) return response.body
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    chunks.push(chunk)
    length += chunk.byteLength
  }
  options.signal?.throwIfAborted()
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}
