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
  #release: (() => void) | undefined

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
    this.#release?.()
    void this.#endSource()
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#ended) return this.#last()
    return new Promise((resolve, reject) => {
      this.#release = () => resolve(this.#last())
      this.#pull().then(resolve, reject)
    })
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.stop()
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #pull(): Promise<IteratorResult<Uint8Array, undefined>> {
    try {
      const result = await this.#source.next()
      if (!result.done) return result
    } catch (error) {
      if (this.#ended) return DONE
      this.#end()
      throw this.#explain(error)
    } finally {
      this.#release = undefined
    }
    if (!this.#ended) this.#end()
    return DONE
  }

  /** A generator that waits cannot be ended before it goes on: nobody waits for its end. */
  async #endSource(): Promise<void> {
    try {
      await this.#source.return?.()
    } catch {
      // It is over either way.
    }
  }

  /** A failure is told once; after it the stream is over. */
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
