import type { Clock, Timer } from '@homeostat/api'
import { unlessAborted } from './killed.ts'
import type { PodResources } from './pod-resources.ts'
import type { ShellProcess } from './process.ts'
import { schedulerOf, type Scheduler } from './scheduler.ts'

/** How many steps a run takes at one moment of a clock that stands still. */
const STEPS_AT_ONE_MOMENT = 10_000
const LONGEST_REST = 1_000

/**
 * Keeps the processes of a run from blocking the event loop. Everything that a script does takes steps, and
 * the scheduler decides which processes wait. A simulated clock stands still while a script works. There a
 * run pauses with all its processes every 10,000 steps, each time twice as long as before, up to a second: so
 * simulated time passes also in a loop that never ends.
 */
export class Pace implements Disposable {
  readonly #clock: Clock
  readonly #scheduler: Scheduler
  readonly #pod: PodResources
  #steps = 0
  #since: number
  #rest = 1
  #resting: Promise<void> | undefined
  #timer: Timer | undefined

  constructor(clock: Clock, pod: PodResources) {
    this.#clock = clock
    this.#scheduler = schedulerOf(clock)
    this.#pod = pod
    this.#since = clock.monotonic()
  }

  /** A promise to await, if other processes should get their turn. */
  step(process: ShellProcess, cost = 1): Promise<void> | undefined {
    if (this.#resting) return unlessAborted(this.#resting, process.signal)
    this.#steps += cost
    if (this.#steps >= STEPS_AT_ONE_MOMENT) {
      this.#steps = 0
      const now = this.#clock.monotonic()
      if (now === this.#since) return unlessAborted(this.#sleep(), process.signal)
      this.#since = now
      this.#rest = 1
    }
    return this.#scheduler.step(process, this.#pod, this, cost)
  }

  /** All processes of the run pause together. */
  #sleep(): Promise<void> {
    this.#rest = Math.min(this.#rest * 2, LONGEST_REST)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resting = promise
    this.#timer = this.#clock.schedule(this.#rest, () => {
      this.#resting = undefined
      this.#since = this.#clock.monotonic()
      resolve()
    })
    return promise
  }

  /** The run has ended: cancels its pause. */
  [Symbol.dispose](): void {
    this.#timer?.cancel()
  }
}
