/** The waits between tries: the first try is at once, the next ones after 10 s, 20 s, 40 s … at most 5 min. */
export class BackOff {
  readonly #initial: number
  readonly #maximum: number
  #delay = 0
  #lastTry: number | undefined

  constructor(options: { initial?: number | undefined; maximum?: number | undefined } = {}) {
    this.#initial = options.initial ?? 10_000
    this.#maximum = options.maximum ?? 300_000
  }

  /** The length of the current back-off, as Go prints a duration: `10s`, `2m40s`, `5m0s`. */
  get shown(): string {
    const seconds = Math.round(this.#delay / 1_000)
    return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
  }

  /** How much longer to wait, if the last try ended (or failed) at `since`. */
  remaining(now: number, since: number): number {
    // After a long time without a failure the count starts again.
    if (this.#lastTry !== undefined && since - this.#lastTry > 2 * this.#maximum) this.#delay = 0
    return Math.max(0, since + this.#delay - now)
  }

  /** A try begins: the wait after it is the next longer one. */
  next(now: number): void {
    this.#lastTry = now
    this.#delay = this.#delay === 0 ? this.#initial : Math.min(this.#delay * 2, this.#maximum)
  }
}
