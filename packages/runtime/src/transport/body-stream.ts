const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * The chunks of an answer. It ends when the source does, when it is stopped, or when its reader returns;
 * `onEnd` is then called, once. Stopping does not wait for a source that hangs.
 */
export class BodyStream implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #onEnd: () => void
  readonly #explain: (error: unknown) => unknown
  #ended = false
  #failure: { error: unknown } | undefined
  /** The pending read of the next chunk. */
  #reader: PromiseWithResolvers<IteratorResult<Uint8Array, undefined>> | undefined

  constructor(
    source: AsyncIterator<Uint8Array>,
    options: { onEnd: () => void; explain?: (error: unknown) => unknown },
  ) {
    this.#source = source
    this.#onEnd = options.onEnd
    this.#explain = options.explain ?? ((error) => error)
  }

  /** Ends the stream for its reader, with an error where one is given. */
  stop(error?: unknown): void {
    if (this.#ended) return
    if (error !== undefined) this.#failure = { error }
    this.#end()
    this.#reader?.resolve(this.#last())
    this.#reader = undefined
    void this.#endSource()
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#ended) return this.#last()
    const reader = Promise.withResolvers<IteratorResult<Uint8Array, undefined>>()
    this.#reader = reader
    this.#source.next().then(this.#take, this.#fail)
    return reader.promise
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.stop()
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  readonly #take = (result: IteratorResult<Uint8Array, undefined>): void => {
    const reader = this.#reader
    this.#reader = undefined
    if (result.done && !this.#ended) this.#end()
    reader?.resolve(result.done ? DONE : result)
  }

  readonly #fail = (error: unknown): void => {
    const reader = this.#reader
    this.#reader = undefined
    if (this.#ended) return
    this.#end()
    reader?.reject(this.#explain(error))
  }

  /** A generator that waits cannot be ended before it resumes, so its end is not awaited. */
  async #endSource(): Promise<void> {
    try {
      await this.#source.return?.()
    } catch {
      // It is over either way.
    }
  }

  /** A failure is thrown once. After it, the stream has ended. */
  #last(): Promise<IteratorResult<Uint8Array, undefined>> {
    const failure = this.#failure
    this.#failure = undefined
    return failure ? Promise.reject(failure.error) : Promise.resolve(DONE)
  }

  #end(): void {
    this.#ended = true
    this.#onEnd()
  }
}
