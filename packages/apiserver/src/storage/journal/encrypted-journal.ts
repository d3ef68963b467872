import type { ValueEncryption } from '../../encryption/index.ts'
import type { Journal, WrittenChange, WrittenEntry } from './journal.ts'

/** A journal that can write entries again, in another form. */
export interface RewritableJournal extends Journal {
  /** Replaces the values of saved entries, before the first change. */
  rewrite(entries: readonly WrittenEntry[]): void
}

/**
 * Encrypts what a journal saves. Entries that were saved in another form, before encryption was configured or by an earlier key,
 * are written again when they have been read.
 */
export class EncryptedJournal implements Journal {
  readonly #journal: RewritableJournal
  readonly #encryption: ValueEncryption

  constructor(journal: RewritableJournal, encryption: ValueEncryption) {
    this.#journal = journal
    this.#encryption = encryption
  }

  set onSaved(listener: (revision: number) => void) {
    this.#journal.onSaved = listener
  }

  get onSaved(): (revision: number) => void {
    return this.#journal.onSaved
  }

  read(take: (entry: WrittenEntry) => void): number {
    const stale: WrittenEntry[] = []
    const revision = this.#journal.read((entry) => {
      const { collection, key } = entry
      const { json, isStale } = this.#encryption.decrypt(collection, key, entry.json)
      if (isStale) stale.push({ ...entry, json: this.#encryption.encrypt(collection, key, json) })
      take(json === entry.json ? entry : { ...entry, json })
    })
    if (stale.length > 0) this.#journal.rewrite(stale)
    return revision
  }

  write(change: WrittenChange): void {
    const { collection, key, json } = change
    if (!json) this.#journal.write(change)
    else this.#journal.write({ ...change, json: this.#encryption.encrypt(collection, key, json) })
  }

  isStale(collection: string, revision: number): boolean {
    return this.#encryption.isStale(collection, revision)
  }

  saved(): Promise<void> | undefined {
    return this.#journal.saved()
  }

  close(): void {
    this.#journal.close()
  }
}
