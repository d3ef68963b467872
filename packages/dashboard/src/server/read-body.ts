import type { IncomingMessage } from 'node:http'

/** How many bytes a request may send: as much as an API server takes. */
const MOST_BYTES = 3 * 1024 * 1024

/** The body of a request; nothing where it is longer than 3 MB. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // The rest is read all the same: a client that is cut off while it sends does not read the answer.
    if (length <= MOST_BYTES) chunks.push(chunk)
  }
  if (length > MOST_BYTES) return undefined
  return Buffer.concat(chunks).toString('utf8')
}
