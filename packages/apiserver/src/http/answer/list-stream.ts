import { apiVersionOf } from '@homeostat/api'
import { servedItem, type Listed, type Resource } from '../../registry/index.ts'
import { addAll } from '../../work/index.ts'
import { listMeta } from './list-document.ts'
import { OwnedBytes } from './owned-bytes.ts'

const encoder = new TextEncoder()
const COMMA = encoder.encode(',')
const END = encoder.encode(']}')

/** The length at which a chunk is passed on. */
const CHUNK = 256 * 1024
/** A list is sent in chunks where its stored objects have more bytes than this in total. */
const LONG = 1024 * 1024

/** Whether a list is so long that encoding it at once would delay other requests. */
export function isLongList({ entries }: Listed): boolean {
  let length = 0
  for (const { json } of entries) {
    length += json.length
    if (length > LONG) return true
  }
  return false
}

/**
 * A list as JSON. The next chunk is encoded only when the one before was sent, so that a list of any length neither delays
 * other requests nor takes much memory. It shows the objects as they were when the list was made.
 */
export class ListStream implements AsyncIterable<OwnedBytes> {
  readonly #resource: Resource
  readonly #listed: Listed
  #ended: ((bytes: number) => void) | undefined

  constructor(resource: Resource, listed: Listed) {
    this.#resource = resource
    this.#listed = listed
  }

  /** Calls a function when the list has been read, or its reader has given up, with the number of bytes that were read. */
  observe(ended: (bytes: number) => void): void {
    this.#ended = ended
  }

  /** The whole list. */
  bytes(): OwnedBytes {
    const [whole] = this.#chunks(Number.POSITIVE_INFINITY)
    return whole!
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<OwnedBytes, void, undefined> {
    let bytes = 0
    try {
      for (const chunk of this.#chunks(CHUNK)) {
        bytes += chunk.length
        yield chunk
      }
    } finally {
      this.#ended?.(bytes)
    }
  }

  /** The list in chunks that are passed on at this length. There is at least one. */
  *#chunks(size: number): Generator<OwnedBytes, void, undefined> {
    const { listKind: kind } = this.#resource
    const metadata = listMeta(this.#resource, this.#listed)
    const head = JSON.stringify({ kind, apiVersion: apiVersionOf(this.#resource), metadata })
    let parts = [encoder.encode(`${head.slice(0, -1)},"items":[`)]
    let length = 0
    let isFirst = true
    for (const entry of this.#listed.entries) {
      if (length >= size) {
        yield OwnedBytes.joining(parts)
        parts = []
        length = 0
      }
      if (!isFirst) parts.push(COMMA)
      isFirst = false
      addAll(parts, servedItem(entry, this.#resource))
      length += entry.json.length
    }
    parts.push(END)
    yield OwnedBytes.joining(parts)
  }
}
