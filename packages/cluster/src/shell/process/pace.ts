import type { Clock } from '@homeostat/api'

/** How many steps a script takes before it gives way, where time does not tell. */
const STEPS = 10_000
/** After so long on a real clock others in this process get their turn. */
const LONGEST_TURN = 5
const LONGEST_REST = 1_000

/**
 * Keeps a script from holding up the whole process. Everything that a script does takes steps; now and then a step
 * waits for a millisecond, in which everyone else has a turn. On a clock that stands still while a script works,
 * each such rest in a row is twice as long as the one before, up to a second: so a loop that never ends lets
 * simulated time go on, and an hour of it is soon over.
 */
export class Pace {
  readonly #clock: Clock
  #steps = 0
  #since: number
  #rest = 1

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.monotonic()
  }

  /** A promise to wait for where it is time to give way. */
  step(signal: AbortSignal, cost = 1): Promise<void> | undefined {
    this.#steps += cost
    if (this.#steps < STEPS) {
      if ((this.#steps & 15) !== 0 && cost < 16) return undefined
      if (this.#clock.monotonic() - this.#since < LONGEST_TURN) return undefined
    }
    return this.#giveWay(signal)
  }

  async #giveWay(signal: AbortSignal): Promise<void> {
    this.#steps = 0
    const stoodStill = this.#clock.monotonic() === this.#since
    this.#rest = stoodStill ? Math.min(this.#rest * 2, LONGEST_REST) : 1
    try {
      await this.#clock.sleep(this.#rest, { signal })
    } finally {
      this.#since = this.#clock.monotonic()
    }
  }
}
