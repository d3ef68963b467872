import type { Clock, Timer } from '@homeostat/api'

/** Somebody who follows a log: the page that comes next for them. */
export interface LogFollower {
  page: number
  /** Whether a flood has gone on without them. */
  left: boolean
}

/** How long a flood waits for somebody who takes nothing, in milliseconds. */
const PATIENCE = 5_000

/**
 * Those who follow a log. A flood waits for them while they are far behind and go on reading, so that they miss nothing;
 * whoever takes nothing for five seconds is left behind, and holds nobody up until they have caught up.
 */
export class LogFollowers {
  readonly #clock: Clock
  /** How many pages somebody may be behind before it counts as far. */
  readonly #far: number
  readonly #newest: () => number
  readonly #followers = new Set<LogFollower>()
  #waiting: PromiseWithResolvers<void> | undefined
  #timer: Timer | undefined

  constructor(clock: Clock, far: number, newest: () => number) {
    this.#clock = clock
    this.#far = far
    this.#newest = newest
  }

  /** Begins to count somebody. */
  join(page: number): LogFollower {
    const follower = { page, left: false }
    this.#followers.add(follower)
    return follower
  }

  /** Somebody has read up to a page. */
  moved(follower: LogFollower, page: number): void {
    follower.page = page
    if (!this.#isFar(follower)) follower.left = false
    this.#check()
  }

  /** Somebody follows no longer. */
  leave(follower: LogFollower): void {
    this.#followers.delete(follower)
    this.#check()
  }

  /** Resolves when nobody who reads is far behind; nothing to wait for where that is so. */
  get ready(): Promise<void> | undefined {
    if (!this.#anyFar()) return undefined
    if (!this.#waiting) {
      this.#waiting = Promise.withResolvers<void>()
      this.#watch()
    }
    return this.#waiting.promise
  }

  #check(): void {
    if (!this.#waiting || this.#anyFar()) return
    this.#timer?.cancel()
    this.#waiting.resolve()
    this.#waiting = undefined
  }

  /** Leaves behind whoever does not move for a while. */
  #watch(): void {
    const before = new Map([...this.#followers].map((follower) => [follower, follower.page]))
    this.#timer = this.#clock.schedule(PATIENCE, () => {
      for (const [follower, page] of before) if (follower.page === page) follower.left = true
      this.#check()
      if (this.#waiting) this.#watch()
    })
  }

  #anyFar(): boolean {
    for (const follower of this.#followers) if (!follower.left && this.#isFar(follower)) return true
    return false
  }

  #isFar({ page }: LogFollower): boolean {
    return this.#newest() - page > this.#far
  }
}
