import type { ApiResponse } from '@homeostat/api'

/** How many bytes an answer has, read to its end. */
export async function bytesOf({ body }: ApiResponse): Promise<number> {
  if (body instanceof Uint8Array) return body.length
  let length = 0
  for await (const chunk of body) length += chunk.length
  return length
}
