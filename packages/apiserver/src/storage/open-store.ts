import { join } from 'node:path'
import type { Clock } from '@homeostat/api'
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts'
import { SqliteJournal } from './sqlite-journal.ts'
import type { Store } from './store.ts'

/** The name of the file in a server's folder. */
const FILE = 'store.db'

/**
 * Opens the store in a folder, or begins one there. Every change that it tells of is on the disk: after a crash at any
 * moment all of them are there, whole, and revisions go on after them. Reads find everything in memory. Throws a
 * `HomeostatError` when another process has it, when it is damaged or not ours, or cannot be written.
 */
export function openStore(
  folder: string,
  options: Omit<MemoryStoreOptions, 'journal'> & {
    readonly clock: Clock
    /** How large the file may become, in bytes. Default: as large as the disk allows. */
    readonly maxBytes?: number | undefined
  },
): Store {
  const journal = SqliteJournal.open(join(folder, FILE), options)
  return new MemoryStore({ ...options, journal })
}
