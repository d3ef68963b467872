import { join } from 'node:path'
import { isDamage } from './journal-failure.ts'
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts'
import { salvageStore, type DataLoss } from './salvage.ts'
import { SqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts'
import type { Store } from './store.ts'

/** The name of the file in a server's folder. */
const FILE = 'store.db'

/** How a store in a folder is opened. */
export interface OpenStoreOptions
  extends Omit<MemoryStoreOptions, 'journal' | 'clock'>, SqliteJournalOptions {
  /**
   * Accepts that a damaged store loses what cannot be read: its files are moved aside, and a store is made of the
   * rest. Called with what was lost, and not called when nothing was. Default: a damaged store is refused.
   */
  readonly acceptDataLoss?: ((loss: DataLoss) => void) | undefined
}

/**
 * Opens the store in a folder, or begins one there. Every change that it tells of is on the disk: after a crash at any
 * moment all of them are there, whole, and revisions go on after them. Reads find everything in memory. Throws a
 * `HomeostatError` when another process has it, when it is damaged or not whole or not ours, or cannot be written.
 */
export function openStore(folder: string, options: OpenStoreOptions): Store {
  const path = join(folder, FILE)
  const open = (): Store => new MemoryStore({ ...options, journal: SqliteJournal.open(path, options) })
  try {
    return open()
  } catch (error) {
    if (!options.acceptDataLoss || !isDamage(error)) throw error
    const loss = salvageStore(path, error as Error, options)
    const store = open()
    options.acceptDataLoss(loss)
    return store
  }
}
