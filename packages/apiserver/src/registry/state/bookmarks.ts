import type { Clock, Timer } from '@homeostat/api'

const MINUTE = 60_000

/**
 * The timer of bookmarks: one for all watches, and none while no watch is open. A new watch gets its first bookmark
 * within a minute.
 */
export class BookmarkBeat {
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  listen(listener: () => void): void {
    this.#listeners.add(listener)
    this.#timer ??= this.#clock.schedule(MINUTE, () => this.#beat())
  }

  unlisten(listener: () => void): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #beat(): void {
    this.#timer = this.#clock.schedule(MINUTE, () => this.#beat())
    for (const listener of this.#listeners) listener()
  }
}
