/** Passes values from a producer to a consumer. Each value waits until the consumer has taken the one before. */
export class Handover<T> {
  #given: { readonly value: T; readonly taken: () => void } | undefined
  #waiting: ((value: T | undefined) => void) | undefined
  #ended = false

  /** Resolves when the value was taken, or when the reader has ended. */
  give(value: T): Promise<void> | undefined {
    if (this.#ended) return undefined
    const waiting = this.#waiting
    if (waiting) {
      this.#waiting = undefined
      waiting(value)
      return undefined
    }
    return new Promise((taken) => (this.#given = { value, taken }))
  }

  /** The next value; undefined at the end. One at a time may wait for it. */
  next(): Promise<T | undefined> {
    const given = this.#given
    if (given) {
      this.#given = undefined
      given.taken()
      return Promise.resolve(given.value)
    }
    if (this.#ended) return Promise.resolve(undefined)
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  /** What was given and not taken is dropped. */
  end(): void {
    this.#ended = true
    this.#given?.taken()
    this.#given = undefined
    this.#waiting?.(undefined)
    this.#waiting = undefined
  }
}
