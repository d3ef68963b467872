/** A change as it is written down. */
export interface WrittenChange {
  readonly revision: number
  readonly collection: string
  readonly key: string
  /** The revision of the entry that it replaces or deletes; 0 for none. */
  readonly replaces: number
  /** The entry's value; undefined when it was deleted. */
  readonly json: Uint8Array | undefined
  /** Whether it deletes the entry or is a step towards that, so that a full store takes it. */
  readonly deletes: boolean
}

/** An entry that was written down before. */
export interface WrittenEntry {
  readonly revision: number
  readonly collection: string
  readonly key: string
  readonly json: Uint8Array
}

/**
 * Where a store writes its changes down, so that they outlive the process. A change is safe some time after it was
 * taken, together with all before it; until then no client may see it.
 */
export interface Journal {
  /** Gives every entry that was written down, and returns the revision of the last change, 1 where there was none. */
  read(take: (entry: WrittenEntry) => void): number
  /**
   * Takes a change, in the order of revisions. Throws when earlier ones cannot be made safe, and when the store is full,
   * unless the change deletes.
   */
  write(change: WrittenChange): void
  /** Told the revision up to which changes are safe, whenever it rises. */
  onSaved: (revision: number) => void
  /**
   * Resolves when all changes taken so far are safe; undefined when they are. Rejects when they cannot be made safe
   * now: they are tried again with the next call.
   */
  saved(): Promise<void> | undefined
  /** Makes safe what was taken, and lets go of the file. */
  close(): void
}
