import { joinBytes } from '@homeostat/api'
import type { Readable } from 'node:stream'
import { cutOff } from './explain-failure.ts'

/** How many unread bytes may be buffered before the sender has to wait. */
const MOST_UNREAD = 1_048_576
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** Where chunks come from. */
interface Sender {
  pause(): void
  resume(): void
  destroy(): void
}

/**
 * Chunks as they arrive, with chunks that arrived together joined into one. An API server sends each event of a watch
 * as its own chunk, and awaiting each would cost more than reading it.
 */
export class JoinedChunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #sender: Sender
  #unread: Uint8Array[] = []
  #length = 0
  #end: { readonly error?: Error | undefined } | undefined
  /** The pending read of a chunk or of the end. */
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined

  constructor(sender: Sender) {
    this.#sender = sender
  }

  /** The chunks of a stream. */
  static of(stream: Readable): JoinedChunks {
    const chunks = new JoinedChunks(stream)
    stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    stream.on('end', () => chunks.finish())
    stream.on('error', (error) => chunks.finish(error))
    stream.on('close', () => chunks.finish(cutOff()))
    return chunks
  }

  /** Adds a chunk. */
  push(chunk: Uint8Array): void {
    if (this.#end) return
    // Chunks that arrive in the same turn are read together.
    if (this.#length === 0 && this.#reader) queueMicrotask(this.#serve)
    this.#unread.push(chunk)
    this.#length += chunk.length
    if (this.#length >= MOST_UNREAD) this.#sender.pause()
  }

  /** Ends the chunks, with an error where one is given. Only the first call has an effect. */
  finish(error?: Error): void {
    this.#end ??= { error }
    if (this.#length === 0) this.#serve()
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#reader = Promise.withResolvers()
    const { promise } = this.#reader
    if (this.#length > 0 || this.#end) this.#serve()
    return promise
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#unread = []
    this.#length = 0
    this.finish()
    this.#sender.destroy()
    return Promise.resolve(DONE)
  }

  readonly #serve = (): void => {
    const reader = this.#reader
    if (!reader) return
    this.#reader = undefined
    if (this.#length > 0) {
      reader.resolve({ done: false, value: this.#joined() })
      return
    }
    const error = this.#end?.error
    this.#end = {} // An error is reported once.
    if (error) reader.reject(error)
    else reader.resolve(DONE)
  }

  #joined(): Uint8Array {
    const chunk = joinBytes(this.#unread)
    if (this.#length >= MOST_UNREAD) this.#sender.resume()
    this.#unread = []
    this.#length = 0
    return chunk
  }
}
