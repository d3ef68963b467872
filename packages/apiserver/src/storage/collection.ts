import { Entry } from './entry.ts'
import { RevisionExpired, type Stored, type StoredValue, type StoreEvent } from './store.ts'

/** How many events are dropped at once when the history is full: dropping one by one would cost more. */
const DROP_SHARE = 0.25

/** How much history is kept at most. */
export interface HistoryLimits {
  readonly events: number
  /** Of their entries as JSON. */
  readonly bytes: number
}

/** The entries of one collection in the order of their keys, and its history. */
export class Collection {
  readonly #entries = new Map<string, Entry>()
  readonly #sorted: Entry[] = []
  /** Every event after {@link forgotten}, in order. */
  readonly #history: StoreEvent[] = []
  readonly #listeners = new Set<(event: StoreEvent) => void>()
  readonly #limits: HistoryLimits
  #bytes = 0
  /** Events up to this revision are no longer known. */
  #forgotten = 0

  constructor(limits: HistoryLimits) {
    this.#limits = limits
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Writes under the given revision. The caller has checked what it replaces. */
  put(key: string, revision: number, value: StoredValue): Entry {
    const previous = this.#entries.get(key)
    const entry = new Entry(key, revision, value)
    this.#entries.set(key, entry)
    if (previous) this.#sorted[this.#position(key)] = entry
    else this.#sorted.splice(this.#position(key), 0, entry)
    this.#record({ type: previous ? 'updated' : 'created', revision, entry, previous })
    return entry
  }

  /** Removes the entry under the given revision. The caller has checked that there is one. */
  delete(key: string, revision: number, last: StoredValue): Entry {
    const previous = this.#entries.get(key)
    const entry = new Entry(key, revision, last)
    this.#entries.delete(key)
    this.#sorted.splice(this.#position(key), 1)
    this.#record({ type: 'deleted', revision, entry, previous })
    return entry
  }

  /** All entries now whose key has the prefix. */
  current(prefix: string): readonly Stored[] {
    if (prefix === '') return this.#sorted.slice()
    const from = this.#position(prefix)
    let to = from
    for (const { length } = this.#sorted; to < length; to++) {
      if (!this.#sorted[to]?.key.startsWith(prefix)) break
    }
    return this.#sorted.slice(from, to)
  }

  /** All entries at an earlier revision: what is there now, with the events since then undone. */
  at(revision: number, prefix: string): readonly Stored[] {
    if (revision < this.#forgotten) throw new RevisionExpired(revision, this.#forgotten)
    const since = this.#after(revision)
    if (since === this.#history.length) return this.current(prefix)
    const entries = new Map<string, Stored>()
    for (const entry of this.current(prefix)) entries.set(entry.key, entry)
    for (let index = this.#history.length - 1; index >= since; index--) {
      const event = this.#history[index]
      if (!event || !event.entry.key.startsWith(prefix)) continue
      if (event.previous) entries.set(event.entry.key, event.previous)
      else entries.delete(event.entry.key)
    }
    return [...entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** The first event after a revision; `undefined` when there is none yet. */
  next(revision: number): StoreEvent | undefined {
    if (revision < this.#forgotten) throw new RevisionExpired(revision, this.#forgotten)
    return this.#history[this.#after(revision)]
  }

  /** Forgets events up to a revision. */
  compact(revision: number): void {
    this.#drop(this.#after(revision))
    this.#forgotten = Math.max(this.#forgotten, revision)
  }

  listen(listener: (event: StoreEvent) => void): void {
    this.#listeners.add(listener)
  }

  unlisten(listener: (event: StoreEvent) => void): void {
    this.#listeners.delete(listener)
  }

  #record(event: StoreEvent): void {
    this.#history.push(event)
    this.#bytes += sizeOf(event)
    while (this.#history.length > this.#limits.events || this.#bytes > this.#limits.bytes) {
      this.#drop(Math.ceil(this.#history.length * DROP_SHARE))
    }
    for (const listener of this.#listeners) listener(event)
  }

  #drop(count: number): void {
    const dropped = this.#history.splice(0, count)
    for (const event of dropped) this.#bytes -= sizeOf(event)
    this.#forgotten = dropped.at(-1)?.revision ?? this.#forgotten
  }

  /** Where in the history the events after a revision begin. Most readers are close to the end. */
  #after(revision: number): number {
    let low = 0
    let high = this.#history.length
    const last = this.#history[high - 1]
    if (!last || last.revision <= revision) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#history[middle]?.revision ?? 0) <= revision) low = middle + 1
      else high = middle
    }
    return low
  }

  #position(key: string): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle]?.key ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The last state of what is deleted is hardly ever encoded; it is as long as the state before. */
function sizeOf({ type, entry, previous }: StoreEvent): number {
  return (type === 'deleted' ? previous : entry)?.json.length ?? 0
}
