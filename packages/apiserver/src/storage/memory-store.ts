import { Collection, type HistoryLimits } from './collection.ts'
import type { Store, Stored, StoredValue, StoreEvent, StoreRange, StoreWatch } from './store.ts'

/** How much of its history a collection remembers, unless told otherwise. */
const HISTORY: HistoryLimits = { events: 10_000, bytes: 64 * 1024 * 1024 }

/** A store in memory: gone with the process. */
export class MemoryStore implements Store {
  #revision = 1
  readonly #collections = new Map<string, Collection>()
  readonly #limits: HistoryLimits
  #compacted = 0

  /**
   * Each collection remembers its last `history` events (default: 10,000), as far as their entries have no more
   * than `historyBytes` bytes in JSON (default: 64 MiB).
   */
  constructor(options: { history?: number | undefined; historyBytes?: number | undefined } = {}) {
    this.#limits = {
      events: options.history ?? HISTORY.events,
      bytes: options.historyBytes ?? HISTORY.bytes,
    }
  }

  get revision(): number {
    return this.#revision
  }

  get(collection: string, key: string): Stored | undefined {
    return this.#collections.get(collection)?.get(key)
  }

  snapshot(range: StoreRange, revision?: number): readonly Stored[] {
    const collection = this.#collection(range.collection)
    const prefix = range.prefix ?? ''
    if (revision === undefined || revision >= this.#revision) return collection.current(prefix)
    return collection.at(revision, prefix)
  }

  put(
    collection: string,
    key: string,
    expected: number,
    value: (revision: number) => StoredValue,
  ): Stored | undefined {
    const entries = this.#collection(collection)
    if ((entries.get(key)?.revision ?? 0) !== expected) return undefined
    const revision = this.#revision + 1
    const made = value(revision)
    this.#revision = revision
    return entries.put(key, revision, made)
  }

  delete(
    collection: string,
    key: string,
    expected: number,
    last: (revision: number) => StoredValue,
  ): Stored | undefined {
    const entries = this.#collection(collection)
    if (expected === 0 || entries.get(key)?.revision !== expected) return undefined
    const revision = this.#revision + 1
    const made = last(revision)
    this.#revision = revision
    return entries.delete(key, revision, made)
  }

  watch(range: StoreRange, after: number, notify: () => void): StoreWatch {
    return new MemoryWatch(this, this.#collection(range.collection), range.prefix ?? '', after, notify)
  }

  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision))
    for (const collection of this.#collections.values()) collection.compact(this.#compacted)
  }

  #collection(name: string): Collection {
    let collection = this.#collections.get(name)
    if (!collection) {
      collection = new Collection(this.#limits)
      collection.compact(this.#compacted)
      this.#collections.set(name, collection)
    }
    return collection
  }
}

/** A place in a collection's history. It holds no events of its own, so a slow reader costs no memory. */
class MemoryWatch implements StoreWatch {
  readonly #store: MemoryStore
  readonly #collection: Collection
  readonly #prefix: string
  readonly #listener: (event: StoreEvent) => void
  #revision: number
  #idle = false
  #closed = false

  constructor(store: MemoryStore, collection: Collection, prefix: string, after: number, notify: () => void) {
    this.#store = store
    this.#collection = collection
    this.#prefix = prefix
    this.#revision = after
    this.#listener = (event): void => {
      // Whoever was idle has seen everything before the event that wakes it.
      if (this.#idle) this.#revision = Math.max(this.#revision, event.revision - 1)
      this.#idle = false
      notify()
    }
    collection.listen(this.#listener)
  }

  /** An idle watch has seen all there is; one that waits for the future is still there. */
  get revision(): number {
    return this.#idle ? Math.max(this.#revision, this.#store.revision) : this.#revision
  }

  take(): StoreEvent | undefined {
    while (!this.#closed && !this.#idle) {
      const event = this.#collection.next(this.#revision)
      if (!event) {
        this.#idle = true
        return undefined
      }
      this.#revision = event.revision
      if (event.entry.key.startsWith(this.#prefix)) return event
    }
    return undefined
  }

  close(): void {
    this.#closed = true
    this.#collection.unlisten(this.#listener)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
