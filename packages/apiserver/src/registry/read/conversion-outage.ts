import type { Clock, Timer } from '@homeostat/api'

/** How long a watch waits for a change to be converted, and how long it waits between two tries, in milliseconds. */
const LONGEST = 30_000
const BETWEEN = 1_000

/** The time in which a webhook fails to convert what a watch should tell next. */
export class ConversionOutage {
  readonly #clock: Clock
  readonly #since: number
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.monotonic()
  }

  get isTooLong(): boolean {
    return this.#clock.monotonic() - this.#since >= LONGEST
  }

  /** Whether the next try is yet to come. */
  get isWaiting(): boolean {
    return this.#timer !== undefined
  }

  wait(again: () => void): void {
    this.#timer = this.#clock.schedule(BETWEEN, () => {
      this.#timer = undefined
      again()
    })
  }

  end(): void {
    this.#timer?.cancel()
  }
}
