import { SystemClock, type Clock } from '@homeostat/api'
import { Collection, type HistoryLimits } from './collection.ts'
import { Entry } from './entry.ts'
import type { Journal } from './journal/index.ts'
import { HistoryWatch } from './history-watch.ts'
import { RecentValues } from './recent-values.ts'
import { RevisionTimes } from './revision-times.ts'
import {
  RevisionExpired,
  type PageBounds,
  type Store,
  type Stored,
  type StoredExtent,
  type StoredValue,
  type StoreEvent,
  type StorePage,
  type StoreRange,
  type StoreWatch,
} from './store.ts'

/** The default limits on the history of a collection. */
const HISTORY: HistoryLimits = { events: 10_000, bytes: 64 * 1024 * 1024 }
/** How long the past can be read, in milliseconds. */
const MEMORY = 5 * 60_000

/** Options of a {@link RevisionStore}. */
export interface RevisionStoreOptions {
  /** The clock by which the history expires. Default: the machine's own. */
  readonly clock?: Clock | undefined
  /** How many events each collection remembers at most. Default: 10,000. */
  readonly history?: number | undefined
  /** The most bytes of JSON that the entries of these events may have together. Default: 64 MiB. */
  readonly historyBytes?: number | undefined
  /** About how many bytes of JSON the values that are kept parsed may have together. Default: 8 MiB. */
  readonly parsedBytes?: number | undefined
  /** Saves changes, and makes the store durable. Default: none, so that the store ends with the process. */
  readonly journal?: Journal | undefined
}

/**
 * A store that answers all reads from memory. With a journal it is durable: it starts with the saved entries, and
 * publishes a change once the journal has saved it.
 */
export class RevisionStore implements Store {
  readonly #collections = new Map<string, Collection>()
  readonly #limits: HistoryLimits
  readonly #journal: Journal | undefined
  readonly #times: RevisionTimes
  readonly #recent: RecentValues
  /** Events that are not safe yet, in order. */
  #unsaved: { collection: Collection; event: StoreEvent }[] = []
  #revision = 1
  #visible = 1
  #compacted = 0
  #aged = 0

  constructor(options: RevisionStoreOptions = {}) {
    this.#limits = {
      events: options.history ?? HISTORY.events,
      bytes: options.historyBytes ?? HISTORY.bytes,
    }
    this.#times = new RevisionTimes(options.clock ?? new SystemClock())
    this.#recent = new RecentValues(options.parsedBytes)
    this.#journal = options.journal
    if (options.journal) this.#load(options.journal)
  }

  get revision(): number {
    return this.#revision
  }

  /** The revision up to which clients may see changes. */
  get visible(): number {
    return this.#visible
  }

  get(collection: string, key: string): Stored | undefined {
    return this.#collections.get(collection)?.get(key)
  }

  snapshot(range: StoreRange, revision?: number): readonly Stored[] {
    const collection = this.#collection(range.collection)
    const prefix = range.prefix ?? ''
    if (!this.#isPast(revision)) return collection.current(prefix)
    return collection.at(revision, prefix)
  }

  page(range: StoreRange, { after = '', limit }: PageBounds, revision?: number): StorePage {
    const collection = this.#collection(range.collection)
    const prefix = range.prefix ?? ''
    if (!this.#isPast(revision)) return collection.currentPage(prefix, after, limit)
    return collection.pageAt(revision, prefix, after, limit)
  }

  extent(collection: string): StoredExtent {
    return this.#collection(collection).extent
  }

  put(
    collection: string,
    key: string,
    expected: number,
    value: (revision: number) => StoredValue,
    check?: (json: Uint8Array) => void,
  ): Stored | undefined {
    const entries = this.#collection(collection)
    if ((entries.get(key)?.revision ?? 0) !== expected) return undefined
    const revision = this.#revision + 1
    const entry = Entry.ofValue(key, revision, value(revision), this.#recent)
    check?.(entry.json)
    const deletes = expected !== 0 && entry.deleting
    this.#journal?.write({ revision, collection, key, replaces: expected, json: entry.json, deletes })
    this.#advance(entries, entries.put(entry))
    return entry
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
    const entry = Entry.ofValue(key, revision, last(revision), this.#recent)
    this.#journal?.write({ revision, collection, key, replaces: expected, json: undefined, deletes: true })
    this.#advance(entries, entries.delete(entry))
    return entry
  }

  watch(range: StoreRange, after: number, notify: () => void): StoreWatch {
    return new HistoryWatch(this, this.#collection(range.collection), range.prefix ?? '', after, notify)
  }

  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, Math.min(revision, this.#revision))
    for (const collection of this.#collections.values()) collection.compact(this.#compacted)
  }

  isStale(collection: string, revision: number): boolean {
    return this.#journal?.isStale?.(collection, revision) ?? false
  }

  saved(): Promise<void> | undefined {
    return this.#journal?.saved()
  }

  close(): void {
    this.#journal?.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #load(journal: Journal): void {
    this.#revision = journal.read(({ collection, key, revision, json }) =>
      this.#collection(collection).load(Entry.ofJson(key, revision, json, this.#recent)),
    )
    this.#visible = this.#revision
    // The history is not saved: it begins here.
    this.compact(this.#revision)
    journal.onSaved = (revision) => this.#reveal(revision)
  }

  /** Advances to a new revision, and publishes its event as soon as the change may be seen. */
  #advance(collection: Collection, event: StoreEvent): void {
    this.#revision = event.revision
    this.#times.note(event.revision)
    this.#age()
    if (this.#journal) {
      this.#unsaved.push({ collection, event })
      return
    }
    this.#visible = event.revision
    collection.announce(event)
  }

  #reveal(revision: number): void {
    const safe = this.#unsaved.findIndex(({ event }) => event.revision > revision)
    const revealed = safe < 0 ? this.#unsaved : this.#unsaved.slice(0, safe)
    this.#unsaved = safe < 0 ? [] : this.#unsaved.slice(safe)
    this.#visible = revision
    for (const { collection, event } of revealed) collection.announce(event)
  }

  /** Whether a revision is earlier than the latest. Throws if the revision is too old to be read. */
  #isPast(revision: number | undefined): revision is number {
    if (revision === undefined || revision >= this.#revision) return false
    this.#age()
    if (revision < this.#aged) throw new RevisionExpired(revision, this.#aged)
    return true
  }

  /** Drops history that has become too old since the last call. */
  #age(): void {
    const aged = this.#times.reachedBefore(MEMORY)
    if (aged <= this.#aged) return
    this.#aged = aged
    for (const collection of this.#collections.values()) collection.age(aged)
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
