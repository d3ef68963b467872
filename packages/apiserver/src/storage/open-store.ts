import { join } from 'node:path'
import { ValueEncryption } from '../encryption/index.ts'
import { RevisionStore, type RevisionStoreOptions } from './revision-store.ts'
import {
  EncryptedJournal,
  isDamage,
  salvageStore,
  SqliteJournal,
  type DataLoss,
  type SqliteJournalOptions,
} from './journal/index.ts'
import type { Store } from './store.ts'

/** The name of the file in a server's folder. */
const FILE = 'store.db'

/** Options of {@link openStore}. */
export interface OpenStoreOptions
  extends Omit<RevisionStoreOptions, 'journal' | 'clock'>, SqliteJournalOptions {
  /**
   * Accepts that a damaged store loses the objects that cannot be read: its files are moved aside, and a new store is
   * built from the rest. Called with the loss, if there was any. Default: a damaged store is refused.
   */
  readonly acceptDataLoss?: ((loss: DataLoss) => void) | undefined
  /** Encrypts values in the file. Default: none is encrypted, and a file with encrypted values is refused. */
  readonly encryption?: ValueEncryption | undefined
}

/**
 * Opens the store in a folder, or creates one. Every change that it reports is on the disk: after a crash at any
 * moment all of them are there, and revisions continue after them. Reads are answered from memory. Throws a
 * `HomeostatError` when another process uses the store, or when it is damaged, incomplete, a file of another program,
 * or not writable.
 */
export function openStore(folder: string, options: OpenStoreOptions): Store {
  const path = join(folder, FILE)
  const { encryption = new ValueEncryption([]) } = options
  const erases = encryption.isOn
  const open = (): Store => {
    const journal = SqliteJournal.open(path, { ...options, erases })
    return new RevisionStore({ ...options, journal: new EncryptedJournal(journal, encryption) })
  }
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
