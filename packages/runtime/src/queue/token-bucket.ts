/**
 * Lets `rate` events a second pass, and up to `burst` at once after a pause. A caller that must wait gets the time to
 * wait, and keeps its place: later callers wait longer.
 */
export class TokenBucket {
  readonly #interval: number
  readonly #burst: number
  /** When the bucket will be full again if no token is taken. */
  #full = Number.NEGATIVE_INFINITY

  constructor(options: { rate: number; burst: number }) {
    this.#interval = 1000 / options.rate
    this.#burst = options.burst
  }

  /** Takes one token at the time `now`, and returns after how many milliseconds it may be used. */
  take(now: number): number {
    this.#full = Math.max(this.#full, now) + this.#interval
    return Math.max(0, this.#full - this.#burst * this.#interval - now)
  }

  /** Takes one token if it may be used at the time `now`; otherwise takes none. */
  takeIfReady(now: number): boolean {
    const full = Math.max(this.#full, now) + this.#interval
    if (full - this.#burst * this.#interval > now) return false
    this.#full = full
    return true
  }
}
