import type { Clock } from '@homeostat/api'

/** How long a request waits after its first slowdown, in milliseconds. */
const FIRST = 1000
/** The longest interval, in milliseconds. */
const LONGEST = 60_000
/** After this many intervals without a further slowdown the interval is halved. */
const QUIET = 10
const MOST_KEYS = 1000

/** A request that is slowed down. */
interface SlowedRequest {
  /** The shortest time between the starts of two of its reconciles. */
  interval: number
  /** When it was last slowed down, or when the interval was last halved. */
  since: number
  /** When its next reconcile may start. */
  next: number
}

/**
 * Slows down single requests whose reconciles would otherwise cause each other without end: two writers that change a
 * field back and forth, or a reconcile whose own write is the event that calls it again. Each `slowDown` doubles the
 * shortest time between two reconciles of that request, from 1 s up to 1 min; each quiet time of ten such intervals
 * halves it again, until the request is forgotten. Other requests are not delayed. A request that was not reconciled
 * for its interval does not wait at all. At most 1000 requests are remembered: past that, the one that was slowed
 * down longest ago is forgotten.
 */
export class RequestPacing {
  readonly #clock: Clock
  /** By the text of the request, in the order of the last slowdowns, the most recent last. */
  readonly #slowed = new Map<string, SlowedRequest>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many requests are remembered. */
  get size(): number {
    return this.#slowed.size
  }

  /**
   * Doubles the request's interval and returns it, in milliseconds. The interval counts from now. `atLeast` is for a
   * caller that remembers for longer than ten intervals why it slows the request down.
   */
  slowDown(key: string, atLeast: number = FIRST): number {
    const now = this.#clock.monotonic()
    const known = this.#current(key, now)
    const interval = Math.min(Math.max(known ? known.interval * 2 : FIRST, atLeast), LONGEST)
    this.#slowed.delete(key)
    this.#slowed.set(key, { interval, since: now, next: now + interval })
    for (const oldest of this.#slowed.keys()) {
      if (this.#slowed.size <= MOST_KEYS && this.#current(oldest, now)) break
      this.#slowed.delete(oldest)
    }
    return interval
  }

  /** A reconcile of the request starts now. */
  started(key: string): void {
    if (this.#slowed.size === 0) return
    const now = this.#clock.monotonic()
    const slowed = this.#current(key, now)
    if (slowed) slowed.next = now + slowed.interval
  }

  /** In how many milliseconds the request may be reconciled because of an event: 0 where it need not wait. */
  wait(key: string): number {
    if (this.#slowed.size === 0) return 0
    const now = this.#clock.monotonic()
    return Math.max(0, (this.#current(key, now)?.next ?? now) - now)
  }

  /** The state of the request after the quiet times that have passed; `undefined` when it is forgotten. */
  #current(key: string, now: number): SlowedRequest | undefined {
    const slowed = this.#slowed.get(key)
    if (!slowed) return undefined
    while (now - slowed.since >= slowed.interval * QUIET) {
      slowed.since += slowed.interval * QUIET
      slowed.interval /= 2
      if (slowed.interval < FIRST) {
        this.#slowed.delete(key)
        return undefined
      }
    }
    return slowed
  }
}
