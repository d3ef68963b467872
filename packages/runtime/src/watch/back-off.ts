import type { Clock } from '@homeostat/api'

const FIRST_MILLISECONDS = 800
const LONGEST_MILLISECONDS = 30_000

/** Waits longer after each failure in a row, and by chance, so that many watchers do not return at once. */
export class BackOff {
  readonly #clock: Clock
  #next = FIRST_MILLISECONDS

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long to wait now; the next time it is longer. */
  next(): number {
    const base = this.#next
    this.#next = Math.min(base * 2, LONGEST_MILLISECONDS)
    return base * (1 + this.#clock.random())
  }

  reset(): void {
    this.#next = FIRST_MILLISECONDS
  }
}
