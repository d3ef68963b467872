import type { ApiResponse } from '@homeostat/api'
import { joinBytes } from './join-bytes.ts'
import { TransportError } from './transport-error.ts'

/**
 * The whole body of an answer as bytes. A stream that ends because `signal` aborted is not whole: then it
 * rejects with the signal's reason. One that is longer than `limit` bytes, unpacked, is not read further: a
 * `TransportError` with code `TRANSPORT_ANSWER_TOO_LARGE`.
 */
export async function readBody(
  response: ApiResponse,
  options: { signal?: AbortSignal | undefined; limit?: number | undefined } = {},
): Promise<Uint8Array> {
  const { limit = Infinity } = options
  if (response.body instanceof Uint8Array) {
    if (response.body.byteLength > limit) throw tooLarge(limit)
    return response.body
  }
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length > limit) throw tooLarge(limit)
  }
  options.signal?.throwIfAborted()
  return joinBytes(chunks)
}

function tooLarge(limit: number): TransportError {
  return new TransportError(
    'TRANSPORT_ANSWER_TOO_LARGE',
    `an answer is longer than ${limit} bytes, the limit of this client. Ask for less with selectors, a namespace or pages, or raise maxAnswerBytes.`,
  )
}
