import type { Readable } from 'node:stream'
import { joinBytes } from './join-bytes.ts'

/** What may lie unread before the sender has to wait. */
const MOST_UNREAD = 1_048_576
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * The chunks of a stream, those that came together joined to one: an API server sends each event of a watch as
 * a chunk of its own, and to wait for each would cost more than to read it.
 */
export class JoinedChunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #stream: Readable
  #unread: Uint8Array[] = []
  #length = 0
  #end: { readonly error?: Error | undefined } | undefined
  #wake: (() => void) | undefined

  constructor(stream: Readable) {
    this.#stream = stream
    stream.on('data', (chunk: Uint8Array) => this.#take(chunk))
    stream.on('end', () => this.#finish({}))
    stream.on('error', (error) => this.#finish({ error }))
    stream.on('close', () => this.#finish({ error: cutOff() }))
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    while (this.#length === 0) {
      if (this.#end) return this.#last(this.#end)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    const chunk = joinBytes(this.#unread)
    if (this.#length >= MOST_UNREAD) this.#stream.resume()
    this.#unread = []
    this.#length = 0
    return { done: false, value: chunk }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#finish({})
    this.#unread = []
    this.#length = 0
    this.#stream.destroy()
    return DONE
  }

  #take(chunk: Uint8Array): void {
    if (this.#end) return
    this.#unread.push(chunk)
    this.#length += chunk.length
    if (this.#length >= MOST_UNREAD) this.#stream.pause()
    this.#wake?.()
  }

  #finish(end: { error?: Error }): void {
    this.#end ??= end
    this.#wake?.()
  }

  /** An error is told once. */
  #last({ error }: { error?: Error | undefined }): typeof DONE {
    this.#end = {}
    if (error) throw error
    return DONE
  }
}

function cutOff(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}
