import { HomeostatError } from '@homeostat/api'

/** A JSON value; in the store it is frozen. */
export type StoredValue = Readonly<Record<string, unknown>>

/** One entry at one revision. It never changes (S4). */
export interface Stored {
  readonly key: string
  /** The revision of its last change. */
  readonly revision: number
  /** Parsed again when it was not used recently (S27): a caller that needs it often keeps it. */
  readonly value: StoredValue
  /**
   * Whether the value is parsed now, and is what a client reads from the JSON: it holds no number that JavaScript rounds. Readers
   * in this process may then share it. Default: false.
   */
  readonly isShareable?: boolean
  /** The value as JSON in UTF-8 (S5). Callers must not write to it. */
  readonly json: Uint8Array
  /** The value's `apiVersion`, which is known without parsing. */
  readonly apiVersion: string | undefined
  /** The value's `metadata.labels`, which are known without parsing. */
  readonly labels: Readonly<Record<string, string>> | undefined
}

/** One change (S11). */
export interface StoreEvent {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly revision: number
  /** The entry after the change; of a deletion the last state, under the deletion's revision (S16). */
  readonly entry: Stored
  /** The entry before the change. */
  readonly previous: Stored | undefined
}

export interface StoreRange {
  /** A collection: all objects of one resource. */
  readonly collection: string
  /** Only keys that begin with this (S8). Default: all. */
  readonly prefix?: string | undefined
}

/** Which entries of a range a page has. */
export interface PageBounds {
  /** Only keys after this one. Default: all. */
  readonly after?: string | undefined
  readonly limit: number
}

/** The first entries of a range, in the order of their keys. */
export interface StorePage {
  readonly entries: readonly Stored[]
  /** How many entries of the range follow. */
  readonly remaining: number
}

/** How large a collection is. */
export interface StoredExtent {
  readonly length: number
  readonly first: Stored | undefined
  readonly last: Stored | undefined
}

/** Follows the changes of a range from one revision on (S9 to S17). */
export interface StoreWatch extends Disposable {
  /** The next event, if it has happened. Throws `RevisionExpired` when it is no longer known. */
  take(): StoreEvent | undefined
  /** Everything up to this revision has been taken (S14). */
  readonly revision: number
  close(): void
}

/**
 * Entries with revisions and a history, like etcd's. SPEC.md numbers its guarantees. All operations are synchronous:
 * a caller that waits between reading and writing names the revision that it read, and retries if the write is
 * refused (S2).
 */
export interface Store extends Disposable {
  /** The revision of the latest change. */
  readonly revision: number
  get(collection: string, key: string): Stored | undefined
  /** All entries of the range, now or at an earlier revision. Throws `RevisionExpired`. */
  snapshot(range: StoreRange, revision?: number): readonly Stored[]
  /** A part of a snapshot (S30). If no entry has changed since, it costs time only for its own entries. */
  page(range: StoreRange, bounds: PageBounds, revision?: number): StorePage
  /** The number of entries of a collection now, the first and the last, without a copy of all. */
  extent(collection: string): StoredExtent
  /**
   * Writes an entry; `undefined` when `expected` is not the entry's revision. `check` gets the entry's JSON before
   * anything is written; if it throws, nothing is written.
   */
  put(
    collection: string,
    key: string,
    expected: number,
    value: (revision: number) => StoredValue,
    check?: (json: Uint8Array) => void,
  ): Stored | undefined
  /** Removes an entry, leaving `last` in the event; `undefined` when `expected` is not its revision. */
  delete(
    collection: string,
    key: string,
    expected: number,
    last: (revision: number) => StoredValue,
  ): Stored | undefined
  /**
   * Watches a range from after a revision, which may be in the future. `notify` is called, synchronously and
   * without arguments, whenever `take` may have something new.
   */
  watch(range: StoreRange, after: number, notify: () => void): StoreWatch
  /** Forgets the history up to a revision. */
  compact(revision: number): void
  /** Whether an entry should be written again although it has not changed, since a former key may have encrypted it. */
  isStale(collection: string, revision: number): boolean
  /**
   * Resolves when everything that was written so far is safely stored. An answer that shows a write waits for
   * it (S20). Undefined when everything is already safe. Rejects when it cannot be made safe, with an error
   * that says why; the next call tries again.
   */
  saved(): Promise<void> | undefined
  /** Stores everything that was written, and releases all resources. */
  close(): void
}

/** The store no longer keeps the history back to the requested revision. */
export class RevisionExpired extends HomeostatError {
  override readonly name = 'RevisionExpired'
  readonly revision: number
  readonly oldest: number

  constructor(revision: number, oldest: number) {
    super(
      'REVISION_EXPIRED',
      `revision ${revision} is too old: the history begins at ${oldest}. List again, and continue from the new list.`,
    )
    this.revision = revision
    this.oldest = oldest
  }
}
