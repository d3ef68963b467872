import type { Clock } from '@homeostat/api'

/** The interval between remembered revisions, in milliseconds. */
const STEP = 60_000

interface Mark {
  readonly at: number
  readonly revision: number
}

/** Remembers the revision of a store at past times, to the minute. */
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

  /** Records the current revision of the store. */
  note(revision: number): void {
    const at = this.#clock.monotonic()
    if (!this.#last || at - this.#began >= STEP) {
      if (this.#last) this.#marks.push(this.#last)
      this.#began = at
    }
    this.#last = { at, revision }
  }

  /** The revision of the store a number of milliseconds ago; 0 when it had none. Forgets earlier ones. */
  reachedBefore(age: number): number {
    const limit = this.#clock.monotonic() - age
    if (this.#last && this.#last.at <= limit) return this.#last.revision
    const index = this.#marks.findLastIndex((mark) => mark.at <= limit)
    if (index > 0) this.#marks = this.#marks.slice(index)
    return index < 0 ? 0 : (this.#marks[0]?.revision ?? 0)
  }
}
