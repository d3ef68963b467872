/**
 * Bytes from a client that attaches to a container to its standard input. The writer waits until they were read, so they do
 * not pile up. They can be read only once, by the container's process.
 */
export class InputChannel implements AsyncIterable<Uint8Array> {
  #waiting: { readonly chunk: Uint8Array; readonly taken: () => void }[] = []
  #wake: (() => void) | undefined
  #ended = false

  /** Resolves when the bytes were read, or when the reader has ended. */
  write(chunk: Uint8Array): Promise<void> {
    if (this.#ended || chunk.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push({ chunk, taken: resolve })
      this.#wake?.()
    })
  }

  /** Ends the input. Readers still get what was written before. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** The reader has ended: waiting writers continue. */
  close(): void {
    this.end()
    for (const { taken } of this.#waiting.splice(0)) taken()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const next = this.#waiting.shift()
        if (next) {
          yield next.chunk
          next.taken()
        } else if (this.#ended) {
          return
        } else {
          await new Promise<void>((resolve) => (this.#wake = resolve))
          this.#wake = undefined
        }
      }
    } finally {
      this.close()
    }
  }
}
