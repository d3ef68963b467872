import type { Clock, ObjectKey, Timer } from '@homeostat/api'
import { requestText } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'

const INTERVAL = 60_000
/** A reconcile that takes longer than this most likely waits for something that never happens. */
const LONG = 300_000

/**
 * Reports each reconcile that does not end, once: without a timeout it would occupy its worker unnoticed. It sets a timer only while
 * reconciles run, so that a controller at rest costs nothing, also while simulated time passes.
 */
export class LongRuns {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #runningSince: (moment: number) => readonly ObjectKey[]
  #reported = new Set<string>()
  #timer: Timer | undefined

  /** `runningSince` gives the objects whose reconcile began before a moment on the monotonic scale. */
  constructor(clock: Clock, logger: Logger, runningSince: (moment: number) => readonly ObjectKey[]) {
    this.#clock = clock
    this.#log = logger
    this.#runningSince = runningSince
  }

  /** A reconcile has begun. */
  start(): void {
    if (!this.#timer) this.#lookAfter(LONG)
  }

  /** No reconcile runs, or the controller has ended. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#reported.size > 0) this.#reported = new Set()
  }

  #lookAfter(delay: number): void {
    this.#timer = this.#clock.schedule(delay, () => {
      this.#look()
      this.#lookAfter(INTERVAL)
    })
  }

  #look(): void {
    const running = new Set<string>()
    for (const key of this.#runningSince(this.#clock.monotonic() - LONG)) {
      const object = requestText(key)
      running.add(object)
      if (this.#reported.has(object)) continue
      this.#log.warn(
        { object, minutes: LONG / 60_000 },
        "a reconcile has been running for minutes: it blocks its object and occupies a worker. Pass the context's signal to what it waits for, and set reconcileTimeout to have it aborted",
      )
    }
    this.#reported = running
  }
}
