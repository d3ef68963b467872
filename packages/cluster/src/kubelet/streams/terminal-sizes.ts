type Size = { readonly width: number; readonly height: number }

/** The sizes of a terminal as they come. A reader that is slow sees only the latest. */
export class TerminalSizes implements AsyncIterable<Size> {
  #latest: Size | undefined
  #wake: (() => void) | undefined
  #ended = false

  set(size: Size): void {
    this.#latest = size
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Size, void, undefined> {
    for (;;) {
      const size = this.#latest
      this.#latest = undefined
      if (size) {
        yield size
      } else if (this.#ended) {
        return
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve))
        this.#wake = undefined
      }
    }
  }
}
