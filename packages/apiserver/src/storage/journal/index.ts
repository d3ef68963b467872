/**
 * The journal of a store, which makes its changes durable: an SQLite file with a log, a file beside it that shows whether
 * acknowledged changes are missing, space that is reserved for a full disk, encryption of values, and the recovery of a
 * damaged store.
 */
export { EncryptedJournal } from './encrypted-journal.ts'
export type { Journal } from './journal.ts'
export { isDamage } from './journal-failure.ts'
export { salvageStore, type DataLoss } from './salvage.ts'
export { SqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts'
