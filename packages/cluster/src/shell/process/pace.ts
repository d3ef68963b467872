import type { Clock } from '@homeostat/api'

/** After so many steps a millisecond of the clock's time passes, so that an endless loop lets simulated time go on. */
const STEPS = 10_000
/** After so long on a real clock others in this process get their turn. */
const LONGEST_TURN = 5

/**
 * Keeps a script from holding up the whole process. Everything that a script does takes steps; now and then a step
 * waits for a millisecond, in which everyone else has a turn.
 */
export class Pace {
  readonly #clock: Clock
  #steps = 0
  #since: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.monotonic()
  }

  /** A promise to wait for where it is time to give way. */
  step(signal: AbortSignal, cost = 1): Promise<void> | undefined {
    this.#steps += cost
    if (this.#steps < STEPS && (this.#steps & 15) !== 0 && cost < 16) return undefined
    if (this.#steps < STEPS && this.#clock.monotonic() - this.#since < LONGEST_TURN) return undefined
    return this.#rest(signal)
  }

  async #rest(signal: AbortSignal): Promise<void> {
    this.#steps = 0
    try {
      await this.#clock.sleep(1, { signal })
    } finally {
      this.#since = this.#clock.monotonic()
    }
  }
}
