import { turnOfTheEventLoop, type Clock } from '@homeostat/api'
import { FairQueue } from './fair-queue.ts'
import { PodResources } from './pod-resources.ts'
import type { ShellProcess } from './process.ts'

/** How many steps all shells together may take in one turn of the event loop. */
const STEPS_IN_TURN = 2_000
/** How long all shells together may work in one turn of the event loop, on a clock that does not stand still. */
const LONGEST_TURN = 5

interface Waiting {
  readonly pod: PodResources
  readonly run: object
  resume(): void
}

/**
 * Shares one slice of each turn of the event loop between all processes of all shells on a clock. When the
 * slice is used up, each process waits at its next step. Each later turn resumes one of them: the Pods take
 * turns, and within a Pod its runs do. So a turn takes at most the slice and one step of a process, however
 * many processes there are.
 */
export class Scheduler {
  readonly #clock: Clock
  readonly #waiting = new FairQueue<Waiting>()
  readonly #pods = new Map<string, PodResources>()
  #used = 0
  #since = 0
  /** Whether the end of a turn is awaited. */
  #following = false
  /** The most steps that were ever taken in one turn. */
  mostInTurn = 0
  /** How many turns ended in which steps were taken. */
  turns = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The resources that the runs of a Pod share. Each run that takes them returns them with `release`. */
  pod(uid: string): PodResources {
    let pod = this.#pods.get(uid)
    if (!pod) {
      pod = new PodResources(() => this.#pods.delete(uid))
      this.#pods.set(uid, pod)
    }
    return pod
  }

  /** Counts the steps of a process. Returns a promise to await where the slice of this turn is used up. */
  step(process: ShellProcess, pod: PodResources, run: object, cost: number): Promise<void> | undefined {
    if (!this.#following) this.#begin()
    this.#used += cost
    if (this.#used > this.mostInTurn) this.mostInTurn = this.#used
    return this.#isUsedUp() ? this.#wait(process, pod, run) : undefined
  }

  #isUsedUp(): boolean {
    return this.#used >= STEPS_IN_TURN || this.#clock.monotonic() - this.#since >= LONGEST_TURN
  }

  #begin(): void {
    this.#following = true
    this.#since = this.#clock.monotonic()
    void this.#follow()
  }

  /** Opens a new slice in each turn as long as processes wait, and resumes one of them in it. */
  async #follow(): Promise<void> {
    for (;;) {
      await turnOfTheEventLoop()
      this.turns++
      this.#used = 0
      this.#since = this.#clock.monotonic()
      const next = this.#waiting.take()
      if (!next) break
      next.resume()
    }
    this.#following = false
  }

  #wait(process: ShellProcess, pod: PodResources, run: object): Promise<void> {
    const { signal } = process
    return new Promise((resolve, reject) => {
      // Simulated time stands still until the process has had its turn.
      const work = this.#clock.busy('a shell')
      const stop = (): void => {
        this.#waiting.delete(entry)
        work.end()
        reject(signal.reason as Error)
      }
      const entry: Waiting = {
        pod,
        run,
        resume: () => {
          signal.removeEventListener('abort', stop)
          work.end()
          resolve()
        },
      }
      if (signal.aborted) {
        stop()
        return
      }
      signal.addEventListener('abort', stop, { once: true })
      this.#waiting.add(entry)
    })
  }
}

const schedulers = new WeakMap<Clock, Scheduler>()

/** The scheduler of a clock, which all shells on that clock share. */
export function schedulerOf(clock: Clock): Scheduler {
  const known = schedulers.get(clock)
  if (known) return known
  const scheduler = new Scheduler(clock)
  schedulers.set(clock, scheduler)
  return scheduler
}
