/**
 * Enforces a shortest time between two turns of a key. A key is remembered only while it has to wait: keys whose time
 * has passed are forgotten at the next turn of any key.
 */
export class Pace {
  readonly #interval: number
  /** When each key may have its next turn, on the monotonic clock, the earliest first. */
  readonly #next = new Map<string, number>()

  constructor(interval: number) {
    this.#interval = interval
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#next.size
  }

  /** The key has its turn now. */
  started(key: string, now: number): void {
    for (const [other, next] of this.#next) {
      if (next > now) break
      this.#next.delete(other)
    }
    this.#next.delete(key)
    this.#next.set(key, now + this.#interval)
  }

  /** `due`, or the time of the key's next turn where that is later. */
  after(key: string, due: number, now: number): number {
    const next = this.#next.get(key)
    return next === undefined || next <= now ? due : Math.max(due, next)
  }
}
