import type { Pausable, Work } from './clock.ts'

/** The work that keeps time from moving, the oldest first. */
export class ActiveWork extends Set<SimulatedWork> {
  readonly #waiting = new Set<() => void>()

  override delete(work: SimulatedWork): boolean {
    const had = super.delete(work)
    if (this.size === 0) for (const wake of this.#waiting) wake()
    return had
  }

  /** Resolves when there is none, or after some milliseconds of real time. */
  untilNone(atMost: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(wake, atMost)
      this.#waiting.add(wake)
    })
  }
}

/** Work under way on a simulated clock. The clock's set contains it unless it pauses or has ended. */
export class SimulatedWork implements Work {
  readonly what: string
  /** When the clock found that it keeps time from moving for long, in real time; undefined until then and after each pause. */
  since: number | undefined
  readonly #active: ActiveWork
  readonly #waiting: Pausable | undefined
  readonly #pauses = new Set<Disposable>()
  #pauseOfWaiting: Disposable | undefined
  #ended = false

  constructor(active: ActiveWork, what: string, waiting: Pausable | undefined) {
    this.#active = active
    this.what = what
    this.#waiting = waiting
    this.#activate()
  }

  pause(): Disposable {
    const pause: Disposable = { [Symbol.dispose]: () => this.#resume(pause) }
    if (this.#ended) return pause
    if (this.#pauses.size === 0) {
      this.#active.delete(this)
      this.#pauseOfWaiting = this.#waiting?.pause()
    }
    this.#pauses.add(pause)
    return pause
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#active.delete(this)
    if (this.#pauses.size > 0) this.#pauseOfWaiting?.[Symbol.dispose]()
    this.#pauses.clear()
  }

  [Symbol.dispose](): void {
    this.end()
  }

  #resume(pause: Disposable): void {
    if (!this.#pauses.delete(pause) || this.#pauses.size > 0) return
    this.#pauseOfWaiting?.[Symbol.dispose]()
    this.#activate()
  }

  #activate(): void {
    this.since = undefined
    this.#active.add(this)
  }
}
