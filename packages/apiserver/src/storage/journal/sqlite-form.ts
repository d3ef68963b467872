import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { WrittenEntry } from './journal.ts'
import { corruptStore, foreignStore, newerStore } from './journal-failure.ts'

/** "HmSt": distinguishes a file of this store from other SQLite files. */
const APPLICATION = 0x486d5374
/** Rises when the form of the tables changes. Form 1 had neither an id nor a digest. */
const FORM = 2

/** The state of the whole store. */
export interface StoreState {
  /** The id of the store. */
  readonly id: string
  /** The revision of the last change. */
  readonly revision: number
  readonly entries: number
  /** The XOR of the checksums of all entries, which reveals a lost or outdated entry. */
  readonly digest: number
}

/** The form of the file. Throws where this version cannot use it. */
export function formOf(database: DatabaseSync, path: string): 'new' | 'old' | 'current' {
  const application = numberOf(database, 'PRAGMA application_id')
  const isNew = numberOf(database, 'SELECT count(*) FROM sqlite_schema') === 0
  if (application !== APPLICATION && !(isNew && application === 0)) throw foreignStore(path)
  const form = numberOf(database, 'PRAGMA user_version')
  if (form > FORM) throw newerStore(path, form)
  if (isNew) return 'new'
  return form === FORM ? 'current' : 'old'
}

const STATE = `
  CREATE TABLE state (
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  PRAGMA user_version = ${FORM};
`

/** Makes the tables in a file that has none. */
export function createTables(database: DatabaseSync, id: string): void {
  database.exec(`
    BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION};
    CREATE TABLE entries (
      revision INTEGER PRIMARY KEY,
      collection TEXT NOT NULL,
      key TEXT NOT NULL,
      value BLOB NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;
    ${STATE}
  `)
  insertState(database, { id, revision: 1, entries: 0, digest: 0 })
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
}

/** Migrates the tables of form 1 to the current form, after it has read them all. Returns the revision. */
export function upgradeTables(database: DatabaseSync, path: string, id: string): number {
  const row = database.prepare('SELECT revision FROM state').get()
  const revision = Number(row?.['revision'] ?? 0)
  if (revision < 1) throw corruptStore(path, 'its revision')
  const { entries, digest } = readEntries(database, path, revision, () => undefined)
  database.exec(`BEGIN IMMEDIATE; DROP TABLE state; ${STATE}`)
  insertState(database, { id, revision, entries, digest })
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  return revision
}

/** Reads everything. Throws `STORE_CORRUPT` where an entry has changed or is missing. */
export function readStore(
  database: DatabaseSync,
  path: string,
  take: (entry: WrittenEntry) => void,
): StoreState {
  const rows = database.prepare('SELECT * FROM state').all()
  const [row] = rows
  const state = row && rows.length === 1 ? stateOf(row) : undefined
  if (!row || !state || row['checksum'] !== stateChecksum(state)) throw corruptStore(path, 'its state')
  const found = readEntries(database, path, state.revision, take)
  if (found.entries !== state.entries || found.digest !== state.digest) {
    throw corruptStore(
      path,
      `its entries: it has ${found.entries} of ${state.entries}, and some differ from what was written`,
    )
  }
  return state
}

function readEntries(
  database: DatabaseSync,
  path: string,
  last: number,
  take: (entry: WrittenEntry) => void,
): { entries: number; digest: number } {
  let entries = 0
  let digest = 0
  const seen = new Map<string, Set<string>>()
  for (const row of database.prepare('SELECT * FROM entries ORDER BY revision').iterate()) {
    const entry = entryOf(row)
    const checksum = entryChecksum(entry)
    let keys = seen.get(entry.collection)
    if (!keys) seen.set(entry.collection, (keys = new Set()))
    if (checksum !== row['checksum'] || entry.revision > last || keys.has(entry.key)) {
      throw corruptStore(path, `${entry.collection} ${entry.key}`)
    }
    keys.add(entry.key)
    entries++
    digest ^= checksum
    take(entry)
  }
  return { entries, digest: digest >>> 0 }
}

/** The values of a row of the table `state`. */
export function stateValues(state: StoreState): [string, number, number, number, number] {
  return [state.id, state.revision, state.entries, state.digest, stateChecksum(state)]
}

/** The state in a row, which may be damaged. */
export function stateOf(row: { [column: string]: unknown }): StoreState {
  return {
    id: String(row['id']),
    revision: Number(row['revision']),
    entries: Number(row['entries']),
    digest: Number(row['digest']),
  }
}

export function entryOf(row: { [column: string]: unknown }): WrittenEntry {
  return {
    revision: row['revision'] as number,
    collection: row['collection'] as string,
    key: row['key'] as string,
    json: row['value'] as Uint8Array,
  }
}

/** SQLite detects damage to the structure of its file, not to its content. */
export function entryChecksum({ revision, collection, key, json }: WrittenEntry): number {
  return crc32(json, crc32(`${revision} ${collection} ${key}`))
}

export function stateChecksum({ id, revision, entries, digest }: StoreState): number {
  return crc32(`${id} ${revision} ${entries} ${digest}`)
}

export function numberOf(database: DatabaseSync, query: string): number {
  return Number(Object.values(database.prepare(query).get() ?? {})[0])
}

function insertState(database: DatabaseSync, state: StoreState): void {
  database.prepare('INSERT INTO state VALUES (?, ?, ?, ?, ?)').run(...stateValues(state))
}
