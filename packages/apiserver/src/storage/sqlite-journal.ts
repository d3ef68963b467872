import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as afterThisRound } from 'node:timers'
import { crc32 } from 'node:zlib'
import type { Clock, Work } from '@homeostat/api'
import type { Journal, WrittenChange, WrittenEntry } from './journal.ts'
import { corruptStore, foreignStore, journalFailure, newerStore } from './journal-failure.ts'

/** "HmSt": how a file of this store is told from other SQLite files. */
const APPLICATION = 0x486d5374
/** Rises when the form of the tables changes. */
const FORM = 1
/** How many bytes may wait for the disk before they are written without waiting for more. */
const MOST_WAITING = 8 * 1024 * 1024

/** What a journal needs. */
export interface SqliteJournalOptions {
  readonly clock: Clock
  /** How large the file may become, in bytes. Default: as large as the disk allows. */
  readonly maxBytes?: number | undefined
}

/**
 * A journal in an SQLite file, which one process has for itself. The rows are the entries as they are now, each under
 * its revision, so that the file has no index of its own. All changes that come in one round of the event loop become
 * one transaction and wait for the disk once, by `synchronous=FULL`: then they are safe, whatever happens to the process or
 * the machine.
 */
export class SqliteJournal implements Journal {
  onSaved: (revision: number) => void = () => undefined
  readonly #path: string
  readonly #clock: Clock
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync
  readonly #advance: StatementSync
  /** Changes that are not safe yet. */
  #waiting: WrittenChange[] = []
  #bytes = 0
  /** Pending as long as changes wait. */
  #round: PromiseWithResolvers<void> | undefined
  #work: Work | undefined
  #closed = false

  private constructor(path: string, clock: Clock, database: DatabaseSync) {
    this.#path = path
    this.#clock = clock
    this.#database = database
    this.#insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)')
    this.#delete = database.prepare('DELETE FROM entries WHERE revision = ?')
    this.#advance = database.prepare('UPDATE state SET revision = ?')
  }

  /** Opens the file, or makes it, readable by its owner alone. Throws a `HomeostatError` that says what is in the way. */
  static open(path: string, options: SqliteJournalOptions): SqliteJournal {
    let database: DatabaseSync | undefined
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      // SQLite would make it readable by all. The files beside it take its mode.
      closeSync(openSync(path, 'a', 0o600))
      database = new DatabaseSync(path)
      prepare(database, path, options.maxBytes)
      return new SqliteJournal(path, options.clock, database)
    } catch (error) {
      database?.close()
      throw journalFailure(path, error)
    }
  }

  read(take: (entry: WrittenEntry) => void): number {
    try {
      const state = this.#database.prepare('SELECT revision FROM state').get()
      const last = Number(state?.['revision'] ?? 0)
      if (last < 1) throw corruptStore(this.#path, 'its revision')
      const seen = new Set<string>()
      const rows = this.#database.prepare('SELECT * FROM entries ORDER BY revision').iterate()
      for (const row of rows as Iterable<{ [column: string]: unknown }>) {
        const entry = entryOf(row)
        const place = `${entry.collection} ${entry.key}`
        if (checksum(entry) !== row['checksum'] || entry.revision > last || seen.has(place)) {
          throw corruptStore(this.#path, place)
        }
        seen.add(place)
        take(entry)
      }
      return last
    } catch (error) {
      this.#database.close()
      throw journalFailure(this.#path, error)
    }
  }

  write(change: WrittenChange): void {
    // What could not be written before comes first; if it still cannot, nothing new is taken.
    if ((this.#waiting.length > 0 && !this.#round) || this.#bytes > MOST_WAITING) this.#flush()
    this.#waiting.push(change)
    this.#bytes += change.json?.length ?? 0
    if (this.#round) return
    this.#round = Promise.withResolvers()
    // Nobody may be waiting for it.
    this.#round.promise.catch(() => undefined)
    this.#work = this.#clock.busy('changes on their way to the disk')
    afterThisRound(() => this.#endRound())
  }

  saved(): Promise<void> | undefined {
    if (this.#round) return this.#round.promise
    if (this.#waiting.length === 0) return undefined
    try {
      this.#flush()
      return undefined
    } catch (error) {
      return Promise.reject(error)
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    try {
      this.#endRound()
      if (this.#waiting.length > 0) this.#flush()
    } finally {
      this.#database.close()
    }
  }

  #endRound(): void {
    const round = this.#round
    if (!round) return
    this.#round = undefined
    try {
      this.#flush()
      round.resolve()
    } catch (error) {
      round.reject(error)
    } finally {
      this.#work?.end()
      this.#work = undefined
    }
  }

  /** Writes all that waits as one transaction. When that fails nothing of it is written, and it waits on. */
  #flush(): void {
    const last = this.#waiting.at(-1)
    if (!last) return
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      for (const change of this.#waiting) this.#apply(change)
      this.#advance.run(last.revision)
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw journalFailure(this.#path, error)
    }
    this.#waiting = []
    this.#bytes = 0
    this.onSaved(last.revision)
  }

  #apply({ revision, collection, key, replaces, json }: WrittenChange): void {
    if (replaces !== 0) this.#delete.run(replaces)
    if (json) {
      this.#insert.run(revision, collection, key, json, checksum({ revision, collection, key, json }))
    }
  }
}

/** Takes the file for this process, sees whether it is ours, and makes the tables in one that is new. */
function prepare(database: DatabaseSync, path: string, maxBytes: number | undefined): void {
  // Taken with the first statement that reads, and held until the file is closed or the process is gone.
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  const numberOf = (pragma: string): number => Number(Object.values(database.prepare(pragma).get() ?? {})[0])
  const application = numberOf('PRAGMA application_id')
  const isNew = numberOf('SELECT count(*) FROM sqlite_schema') === 0
  if (application !== APPLICATION && !(isNew && application === 0)) throw foreignStore(path)
  const form = numberOf('PRAGMA user_version')
  if (form > FORM) throw newerStore(path, form)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  if (maxBytes !== undefined) {
    const pages = Math.max(1, Math.floor(maxBytes / numberOf('PRAGMA page_size')))
    database.exec(`PRAGMA max_page_count = ${pages}`)
  }
  if (!isNew) return
  database.exec(`
    BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION};
    PRAGMA user_version = ${FORM};
    CREATE TABLE entries (
      revision INTEGER PRIMARY KEY,
      collection TEXT NOT NULL,
      key TEXT NOT NULL,
      value BLOB NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE state (revision INTEGER NOT NULL) STRICT;
    INSERT INTO state VALUES (1);
    COMMIT;
  `)
}

function entryOf(row: { [column: string]: unknown }): WrittenEntry {
  return {
    revision: row['revision'] as number,
    collection: row['collection'] as string,
    key: row['key'] as string,
    json: row['value'] as Uint8Array,
  }
}

/** SQLite sees damage to the form of its file, not to what is in it. */
function checksum({ revision, collection, key, json }: WrittenEntry): number {
  return crc32(json, crc32(`${revision} ${collection} ${key}`))
}
