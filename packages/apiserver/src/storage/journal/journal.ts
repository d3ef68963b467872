/** A change for the journal. */
export interface WrittenChange {
  readonly revision: number
  readonly collection: string
  readonly key: string
  /** The revision of the entry that it replaces or deletes; 0 for none. */
  readonly replaces: number
  /** The entry's value; undefined when it was deleted. */
  readonly json: Uint8Array | undefined
  /** Whether it deletes the entry or is a step towards that, so that a full store accepts it. */
  readonly deletes: boolean
}

/** An entry that the journal has. */
export interface WrittenEntry {
  readonly revision: number
  readonly collection: string
  readonly key: string
  readonly json: Uint8Array
}

/**
 * Saves the changes of a store, so that they survive the process. A change is safe some time after it was accepted,
 * together with all changes before it; until then no client may see it.
 */
export interface Journal {
  /** Calls back with every saved entry. Returns the revision of the last change; 1 where there was none. */
  read(take: (entry: WrittenEntry) => void): number
  /**
   * Accepts a change, in the order of revisions. Throws when earlier changes cannot be saved, and when the store is
   * full, unless the change deletes.
   */
  write(change: WrittenChange): void
  /** Whether an entry of a revision may be saved in an outdated form, such as by a former key. Default: none is. */
  isStale?(collection: string, revision: number): boolean
  /** Called with the revision up to which changes are safe, whenever it rises. */
  onSaved: (revision: number) => void
  /**
   * Resolves when all accepted changes are safe; undefined when they are already. Rejects when they cannot be saved
   * now; the next call retries.
   */
  saved(): Promise<void> | undefined
  /** Saves all accepted changes, and closes the file. */
  close(): void
}
