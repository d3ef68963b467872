import type { Clock, Timer } from '@homeostat/api'

/** How long a watch waits for a change to be converted, and how long it waits between two tries, in milliseconds. */
const LONGEST = 30_000
const BETWEEN = 1_000

/** The period in which a webhook fails to convert the next event of a watch. */
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

  /** Whether it is too early for the next try. */
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
