import type { Level } from './ready-list.ts'

/** The due time of requests that are already due. */
export const NOW = Number.NEGATIVE_INFINITY
export const NO_CAUSES: readonly never[] = []

/** A key that was handed out. Until `done` is called with it, no other worker gets the key. */
export interface WorkItem<T> {
  readonly key: string
  readonly priority: number
  /** Why it runs: the first causes and the last one. */
  readonly causes: readonly T[]
  /** How many further causes were left out. */
  readonly omittedCauses: number
  /** For how many milliseconds it was ready before it was handed out. */
  readonly waited: number
  /** When it was handed out, on the clock's monotonic scale. */
  readonly since: number
}

/** The state of one key. It is removed when the key neither waits nor runs. */
export class QueueEntry<T> {
  readonly key: string
  /** Whether a request was added and not yet handed out. `due`, `priority`, `causes` and so on describe that request. */
  pending = false
  running: WorkItem<T> | undefined
  due = NOW
  priority = 0
  causes: T[] | undefined
  omittedCauses = 0
  budgeted = false
  readySince = 0
  order = 0
  heapIndex = -1
  level: Level<this> | undefined
  previous: this | undefined
  next: this | undefined

  constructor(key: string) {
    this.key = key
  }

  /** Adds a cause of the pending request. Beyond `most`, the first ones and the last are kept. */
  addCause(cause: T | undefined, most: number): void {
    if (cause === undefined) return
    this.causes ??= []
    if (this.causes.length < most) {
      this.causes.push(cause)
    } else {
      this.causes[this.causes.length - 1] = cause
      this.omittedCauses++
    }
  }
}

/** A handed-out item, and its entry. */
export class Turn<T> implements WorkItem<T> {
  readonly key: string
  readonly priority: number
  readonly causes: readonly T[]
  readonly omittedCauses: number
  readonly waited: number
  readonly since: number
  readonly #entry: QueueEntry<T>

  constructor(entry: QueueEntry<T>, now: number) {
    this.key = entry.key
    this.priority = entry.priority
    this.causes = entry.causes ?? NO_CAUSES
    this.omittedCauses = entry.omittedCauses
    this.waited = now - entry.readySince
    this.since = now
    this.#entry = entry
  }

  /** The entry, if the item is its current turn. */
  static entryOf<T>(item: WorkItem<T>): QueueEntry<T> | undefined {
    const entry = (item as Turn<T>).#entry
    return entry.running === item ? entry : undefined
  }
}
