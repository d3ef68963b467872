/** Passes values from a producer to a consumer. Each value waits until the consumer has received the one before. */
export class Handover<T> {
  #given: { readonly value: T; readonly taken: () => void } | undefined
  #waiting: ((value: T | undefined) => void) | undefined
  #ended = false

  /** Resolves when the consumer has received the value, or when the handover has ended. */
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

  /** The next value; `undefined` at the end. Only one call may be pending. */
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

  /** Ends the handover, and drops a value that was not received. */
  end(): void {
    this.#ended = true
    this.#given?.taken()
    this.#given = undefined
    this.#waiting?.(undefined)
    this.#waiting = undefined
  }
}
