import type { Entry } from './entry.ts'
import { SortedEntries } from './sorted-entries.ts'
import { RevisionExpired, type Stored, type StoredExtent, type StoreEvent, type StorePage } from './store.ts'

/** How many events are dropped at once when the history is full: dropping one by one would cost more. */
const DROP_SHARE = 0.25
/**
 * How many events are kept however old they are: they cost little, and let watches of a quiet collection continue.
 */
const KEPT_EVENTS = 100

/** How much history is kept at most. */
export interface HistoryLimits {
  readonly events: number
  /** The total length of their entries, as JSON. */
  readonly bytes: number
}

/** The entries of one collection in the order of their keys, and its history. */
export class Collection {
  readonly #entries = new Map<string, Entry>()
  readonly #sorted = new SortedEntries()
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

  /** Adds an entry from before the history, without an event. */
  load(entry: Entry): void {
    this.#entries.set(entry.key, entry)
    this.#sorted.put(entry)
  }

  /**
   * Writes an entry. The caller has checked the revision that it replaces, and publishes the event when clients may
   * see it.
   */
  put(entry: Entry): StoreEvent {
    const previous = this.#entries.get(entry.key)
    this.load(entry)
    return this.#record({
      type: previous ? 'updated' : 'created',
      revision: entry.revision,
      entry,
      previous,
    })
  }

  /**
   * Removes the entry of the key; the event has its last state. The caller has checked that it exists, and publishes
   * the event.
   */
  delete(last: Entry): StoreEvent {
    const { key, revision } = last
    const previous = this.#entries.get(key)
    this.#entries.delete(key)
    this.#sorted.delete(key)
    return this.#record({ type: 'deleted', revision, entry: last, previous })
  }

  /** Passes an event to all listeners. */
  announce(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** All entries now whose key has the prefix. */
  current(prefix: string): readonly Stored[] {
    return this.#sorted.withPrefix(prefix)
  }

  /** The first entries now whose key has the prefix and follows `after`. */
  currentPage(prefix: string, after: string, limit: number): StorePage {
    return this.#sorted.page(prefix, after, limit)
  }

  /** The number of entries, the first and the last. */
  get extent(): StoredExtent {
    const { length, first, last } = this.#sorted
    return { length, first, last }
  }

  /** All entries at an earlier revision: the current ones without the events since then. */
  at(revision: number, prefix: string): readonly Stored[] {
    const changed = this.#changedSince(revision, prefix)
    const now = this.current(prefix)
    if (changed.size === 0) return now
    const before = [...changed.values()].filter((entry) => entry !== undefined)
    const same = now.filter((entry) => !changed.has(entry.key))
    return merge(same, before.sort(byKey))
  }

  /** The first entries at an earlier revision whose key has the prefix and follows `after`. */
  pageAt(revision: number, prefix: string, after: string, limit: number): StorePage {
    if (this.#changedSince(revision, prefix).size === 0) return this.currentPage(prefix, after, limit)
    const following = this.at(revision, prefix).filter(({ key }) => key > after)
    return { entries: following.slice(0, limit), remaining: Math.max(0, following.length - limit) }
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

  /** Forgets old events up to a revision, except for the last few. */
  age(revision: number): void {
    this.#drop(Math.min(this.#after(revision), this.#history.length - KEPT_EVENTS))
  }

  listen(listener: (event: StoreEvent) => void): void {
    this.#listeners.add(listener)
  }

  unlisten(listener: (event: StoreEvent) => void): void {
    this.#listeners.delete(listener)
  }

  /** The entries at a revision that have changed since then; `undefined` where there was none. */
  #changedSince(revision: number, prefix: string): ReadonlyMap<string, Stored | undefined> {
    if (revision < this.#forgotten) throw new RevisionExpired(revision, this.#forgotten)
    const changed = new Map<string, Stored | undefined>()
    for (let index = this.#after(revision); index < this.#history.length; index++) {
      const { entry, previous } = this.#history[index] as StoreEvent
      // The first event of a key has the entry before all of them.
      if (!changed.has(entry.key) && entry.key.startsWith(prefix)) changed.set(entry.key, previous)
    }
    return changed
  }

  #record(event: StoreEvent): StoreEvent {
    this.#history.push(event)
    this.#bytes += event.entry.json.length
    while (this.#history.length > this.#limits.events || this.#bytes > this.#limits.bytes) {
      this.#drop(Math.ceil(this.#history.length * DROP_SHARE))
    }
    return event
  }

  #drop(count: number): void {
    if (count <= 0) return
    const dropped = this.#history.splice(0, count)
    for (const { entry } of dropped) this.#bytes -= entry.json.length
    this.#forgotten = dropped.at(-1)?.revision ?? this.#forgotten
  }

  /** The index in the history of the first event after a revision. Most readers are close to the end. */
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
}

function byKey(a: Stored, b: Stored): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

/** Merges two lists that are sorted by key. */
function merge(a: readonly Stored[], b: readonly Stored[]): Stored[] {
  const merged: Stored[] = []
  let index = 0
  for (const entry of a) {
    for (let next = b[index]; next && next.key < entry.key; next = b[++index]) merged.push(next)
    merged.push(entry)
  }
  return [...merged, ...b.slice(index)]
}
