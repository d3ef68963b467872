import { joinBytes, type ApiResponse } from '@homeostat/api'
import { GrowingBytes } from './growing-bytes.ts'
import { TransportError } from './transport-error.ts'

/**
 * The whole body of an answer as bytes. If the stream ends because `signal` aborted, it rejects with the signal's
 * reason. If the body is longer than `limit` bytes after decompression, it stops reading and rejects with a
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

/** How much of an error's body is read. */
const MOST_ERROR_BYTES = 3 * 1024 * 1024

/** The body of an answer that reports an error, cut off after 3 MiB: it is only used in messages. */
export async function readErrorBody(
  response: ApiResponse,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Uint8Array> {
  if (response.body instanceof Uint8Array) return response.body.subarray(0, MOST_ERROR_BYTES)
  const bytes = new GrowingBytes(MOST_ERROR_BYTES, () => new Error('cut'))
  let left = MOST_ERROR_BYTES
  for await (const chunk of response.body) {
    const part = chunk.subarray(0, left)
    bytes.push(part)
    left -= part.length
    if (left === 0) break
  }
  options.signal?.throwIfAborted()
  return bytes.complete(new Uint8Array(0))
}

function tooLarge(limit: number): TransportError {
  return new TransportError(
    'TRANSPORT_ANSWER_TOO_LARGE',
    `an answer is longer than ${limit} bytes, the limit of this client. Ask for less with selectors, a namespace or pages, or raise maxAnswerBytes.`,
  )
}
