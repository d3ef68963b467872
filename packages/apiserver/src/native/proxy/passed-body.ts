import { pipeline } from 'node:stream'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import { rewritePage } from './rewrite-page.ts'

/** Links in longer pages are not rewritten: reading a whole page would delay all other requests. */
const LONGEST_PAGE = 2 * 1024 * 1024

/** A body with rewritten links. */
export interface RewrittenBody {
  readonly body: AsyncIterable<Uint8Array>
  /** Its length, if that has changed. */
  readonly length?: number | undefined
}

/** A page with rewritten links. A page that is too long or cannot be decoded is passed on unchanged. */
export async function rewrittenBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  rewrite: (url: string) => string,
): Promise<RewrittenBody> {
  const iterator = body[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length <= LONGEST_PAGE) {
    const { done, value } = await iterator.next()
    if (done) {
      const whole = Buffer.concat(chunks)
      const page = rewrittenPage(whole, encoding, rewrite)
      return page ? { body: one(page), length: page.length } : { body: one(whole) }
    }
    chunks.push(value)
    length += value.length
  }
  return { body: resumed(chunks, iterator) }
}

/** Decompresses a body that the server, not the client, asked to be compressed. Fails where the body is cut off. */
export function unzipped(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // The error that this callback gets is also that of the stream, where its reader sees it.
  return pipeline(body, createGunzip(), () => undefined)
}

function rewrittenPage(
  bytes: Buffer,
  encoding: string,
  rewrite: (url: string) => string,
): Buffer | undefined {
  if (encoding !== '' && encoding !== 'gzip') return undefined
  try {
    const page = encoding === 'gzip' ? gunzipSync(bytes, { maxOutputLength: LONGEST_PAGE }) : bytes
    const written = Buffer.from(rewritePage(page.toString(), rewrite))
    return encoding === 'gzip' ? gzipSync(written) : written
  } catch {
    return undefined
  }
}

async function* one(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk
}

async function* resumed(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } finally {
    await iterator.return?.()
  }
}
