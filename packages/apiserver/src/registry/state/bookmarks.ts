import type { Clock, Timer } from '@homeostat/api'

const MINUTE = 60_000

/**
 * The beat at which watches send bookmarks: one timer for all of them, and none while no watch is open. A watch that
 * comes in between hears its first beat within the minute.
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
