import { HomeostatError, type KubernetesList } from '@homeostat/api'
import { GrowingBytes } from '../transport/index.ts'

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 123, 125, 91, 93]
/** The same limit as for a line of a watch: ten times the length of the largest object. */
const LONGEST_ITEM = 16 * 1024 * 1024
/** A list has a few hundred characters besides its items. */
const LONGEST_FRAME = 1024 * 1024
const ITEMS_FOLLOW = /[{,]\s*"items"\s*:\s*$/

/**
 * Cuts the JSON of a list into its items, wherever the chunks end, so that the whole list is never in memory. It only
 * finds where values begin and end: the reader of an item checks whether it is JSON. Throws a `HomeostatError` with
 * code `LIST_TOO_LONG` at an item of more than 16 MiB, and where more than 1 MiB is not among the items.
 */
export class ListItems {
  readonly #decoder = new TextDecoder()
  /** The text of the list besides its items. */
  #frame = ''
  /** The beginning of an item that is not complete yet. */
  readonly #beginning = new GrowingBytes(LONGEST_ITEM, (limit) => tooLong('an item', limit))
  #within: 'frame' | 'items' | 'item' = 'frame'
  /** How many objects and lists are open: in the frame, or in the item. */
  #depth = 0
  #inText = false
  #escaped = false

  /**
   * The items that this chunk completes. They may be parts of the chunk itself: read them before the
   * producer of the chunk reuses its memory.
   */
  push(data: Uint8Array): Uint8Array[] {
    // A plain Uint8Array also for a Buffer from the network, so that the code that scans it sees only one class.
    const chunk = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    const items: Uint8Array[] = []
    for (let at = 0; at < chunk.length;) {
      if (this.#within === 'frame') at = this.#readFrame(chunk, at)
      else if (this.#within === 'items') at = this.#findItem(chunk, at)
      else {
        const end = this.#endOfItem(chunk, at)
        if (end < 0) {
          this.#beginning.push(chunk.subarray(at))
          break
        }
        items.push(this.#beginning.complete(chunk.subarray(at, end)))
        this.#within = 'items'
        at = end
      }
    }
    return items
  }

  /** The version of the complete list. Throws where the list is incomplete, or the text is not a list. */
  resourceVersion(): string {
    if (this.#within !== 'frame') throw new SyntaxError('the list broke off in the middle of its items')
    const version = (JSON.parse(this.#frame) as KubernetesList).metadata?.resourceVersion
    if (typeof version !== 'string') throw new TypeError('the list has no metadata.resourceVersion')
    return version
  }

  /** Reads up to the first item, or to the end of the chunk. */
  #readFrame(chunk: Uint8Array, start: number): number {
    let from = start
    let at = this.#inText ? this.#skipText(chunk, start) : start
    while (at < chunk.length) {
      const byte = chunk[at]
      if (byte === OPEN_LIST && this.#depth === 1) {
        this.#addToFrame(chunk.subarray(from, at))
        from = at
        if (ITEMS_FOLLOW.test(this.#frame)) {
          this.#frame += '['
          this.#within = 'items'
          return at + 1
        }
      }
      if (byte === OPEN || byte === OPEN_LIST) this.#depth++
      else if (byte === CLOSE || byte === CLOSE_LIST) this.#depth--
      at = byte === QUOTE ? this.#skipText(chunk, at + 1) : at + 1
    }
    this.#addToFrame(chunk.subarray(from))
    return chunk.length
  }

  #addToFrame(bytes: Uint8Array): void {
    if (this.#frame.length + bytes.length > LONGEST_FRAME) throw tooLong('the frame', LONGEST_FRAME)
    this.#frame += this.#decoder.decode(bytes, { stream: true })
  }

  /** Finds the start of the next item, or the rest of the frame. */
  #findItem(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      if (chunk[at] === OPEN) {
        this.#within = 'item'
        this.#depth = 0
        return at
      }
      if (chunk[at] === CLOSE_LIST) {
        this.#within = 'frame'
        this.#frame += ']'
        this.#depth = 1
        return at + 1
      }
    }
    return chunk.length
  }

  /** The offset after the item's last byte; -1 if the item continues in the next chunk. */
  #endOfItem(chunk: Uint8Array, start: number): number {
    let depth = this.#depth
    let at = this.#inText ? this.#skipText(chunk, start) : start
    while (at < chunk.length) {
      const byte = chunk[at++]
      if (byte === QUOTE) at = this.#skipText(chunk, at)
      else if (byte === OPEN || byte === OPEN_LIST) depth++
      else if ((byte === CLOSE || byte === CLOSE_LIST) && --depth === 0) return at
    }
    this.#depth = depth
    return -1
  }

  /** The offset after the closing quote of the open text; the chunk's end if the text continues in the next one. */
  #skipText(chunk: Uint8Array, start: number): number {
    let at = this.#escaped ? start + 1 : start
    this.#escaped = false
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === QUOTE) {
        this.#inText = false
        return at + 1
      }
      if (byte === BACKSLASH) at++
    }
    this.#inText = true
    this.#escaped = at > chunk.length
    return chunk.length
  }
}

function tooLong(what: string, limit: number): HomeostatError {
  return new HomeostatError(
    'LIST_TOO_LONG',
    `${what} of a list is longer than ${limit} bytes, many times what an API server sends. Check the proxies between this process and the API server.`,
  )
}
