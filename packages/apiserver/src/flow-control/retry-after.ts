/** The longest time after which a client is asked to try again, in seconds. */
const LONGEST = 32

/**
 * How many seconds a refused client should wait: longer while many requests of the level are refused, shorter again when there
 * are few.
 */
export class RetryAfter {
  #seconds = 1
  #second = 0
  #count = 0
  #changed = 0
  #history: { readonly second: number; readonly count: number }[] = []

  get seconds(): number {
    return this.#seconds
  }

  /** Counts a refused request. `now` is a time in milliseconds. */
  refused(now: number): void {
    const second = Math.floor(now / 1000)
    if (second === this.#second) {
      this.#count++
      return
    }
    const oldest = this.#second - Math.min(2 * this.#seconds, LONGEST)
    this.#history.push({ second: this.#second, count: this.#count })
    this.#history = this.#history.filter((one) => one.second >= oldest)
    this.#second = second
    this.#count = 1
    this.#adjust(second)
  }

  #adjust(second: number): void {
    let refused = 0
    for (const one of this.#history) if (one.second >= second - this.#seconds) refused += one.count
    if (second - this.#changed >= this.#seconds && refused >= 3 * this.#seconds) {
      this.#seconds = Math.min(2 * this.#seconds, LONGEST)
      this.#changed = second
    } else if (refused < this.#seconds && this.#seconds > 1) this.#seconds--
  }
}
