import type { Clock, Timer } from '@homeostat/api'

/** A client that follows a log, and the next page that it will read. */
export interface LogFollower {
  page: number
  /** Whether the writer no longer waits for it. */
  left: boolean
}

/** How long a writer waits for a follower that reads nothing, in milliseconds. */
const IDLE_TIMEOUT = 5_000

/**
 * The followers of a log. A writer waits for them while they are far behind and keep reading, so that they miss
 * nothing. A follower that reads nothing for five seconds is left behind, and is not waited for until it has caught up.
 */
export class LogFollowers {
  readonly #clock: Clock
  /** How many pages a follower may lag before the writer waits for it. */
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

  /** Adds a follower. */
  join(page: number): LogFollower {
    const follower = { page, left: false }
    this.#followers.add(follower)
    return follower
  }

  /** A follower has read up to a page. */
  moved(follower: LogFollower, page: number): void {
    follower.page = page
    if (!this.#isFar(follower)) follower.left = false
    this.#check()
  }

  /** Removes a follower. */
  leave(follower: LogFollower): void {
    this.#followers.delete(follower)
    this.#check()
  }

  /** Resolves when no active follower lags; `undefined` if none does now. */
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

  /** Stops waiting for followers that have read nothing for a while. */
  #watch(): void {
    const before = new Map([...this.#followers].map((follower) => [follower, follower.page]))
    this.#timer = this.#clock.schedule(IDLE_TIMEOUT, () => {
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
