import type { Clock } from '@homeostat/api'

/** How far apart the revisions are that are remembered, in milliseconds. */
const STEP = 60_000

interface Mark {
  readonly at: number
  readonly revision: number
}

/** Remembers which revision a store had how long ago, to the minute. */
export class RevisionTimes {
  readonly #clock: Clock
  /** The last revision of each minute that is over, if there was one. */
  #marks: Mark[] = []
  #last: Mark | undefined
  /** When the minute of {@link #last} began. */
  #began = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes that the store has come to a revision. */
  note(revision: number): void {
    const at = this.#clock.monotonic()
    if (!this.#last || at - this.#began >= STEP) {
      if (this.#last) this.#marks.push(this.#last)
      this.#began = at
    }
    this.#last = { at, revision }
  }

  /** A revision that the store had reached so many milliseconds ago; 0 when it had none. Earlier ones are forgotten. */
  reachedBefore(age: number): number {
    const limit = this.#clock.monotonic() - age
    if (this.#last && this.#last.at <= limit) return this.#last.revision
    const index = this.#marks.findLastIndex((mark) => mark.at <= limit)
    if (index > 0) this.#marks = this.#marks.slice(index)
    return index < 0 ? 0 : (this.#marks[0]?.revision ?? 0)
  }
}
