import { errorCode } from '../work/index.ts'
import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as afterThisRound } from 'node:timers'
import type { Clock, Work } from '@homeostat/api'
import { AcknowledgedRevision, type Acknowledged } from './acknowledged-revision.ts'
import { DiskReserve } from './disk-reserve.ts'
import type { RewritableJournal } from './encrypted-journal.ts'
import type { WrittenChange, WrittenEntry } from './journal.ts'
import { corruptStore, fullStore, incompleteStore, isOutOfSpace, journalFailure } from './journal-failure.ts'
import {
  createTables,
  entryChecksum,
  formOf,
  numberOf,
  readStore,
  stateValues,
  upgradeTables,
  type StoreState,
} from './sqlite-form.ts'

/** How many bytes may wait for the disk before they are written without waiting for more. */
const MOST_WAITING = 4 * 1024 * 1024
/** How long a page of the file is, in bytes. */
const PAGE = 4096
/** How much room within the file stays free while its disk is full, in bytes. */
const SPARE = 1024 * 1024
/** The share of its limit by which a file may exceed it for deletions. */
const SHARE_TO_DELETE = 1 / 8

/** Options of a journal. */
export interface SqliteJournalOptions {
  readonly clock: Clock
  /** How large the file may become, in bytes; deletions may use an eighth more. Default: as large as the disk allows. */
  readonly maxBytes?: number | undefined
  /** How much space is reserved for deletions on a full disk, in bytes. Default: 16 MiB. */
  readonly reserveBytes?: number | undefined
  /** After how many pages SQLite moves its log into the file. Default: SQLite's own, 1,000. */
  readonly checkpointPages?: number | undefined
  /** Whether deleted values are overwritten in the file. Default: false. */
  readonly erases?: boolean | undefined
}

/**
 * A journal in an SQLite file, which only one process can open. The rows are the current entries, with the revision
 * as the key, so that the file needs no index. All changes of one turn of the event loop become one transaction and
 * wait for the disk once, by `synchronous=FULL`: then they survive a crash of the process or the machine.
 */
export class SqliteJournal implements RewritableJournal {
  onSaved: (revision: number) => void = () => undefined
  readonly #path: string
  readonly #clock: Clock
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #delete: StatementSync
  readonly #advance: StatementSync
  readonly #acknowledged: AcknowledgedRevision
  readonly #reserve: DiskReserve
  /** In pages; undefined without a limit. */
  readonly #limit: number | undefined
  /** Whether the reserve for deletions is in use: then nothing else is written. */
  #full = false
  #state: StoreState
  /** Changes that are not safe yet. */
  #waiting: WrittenChange[] = []
  #bytes = 0
  /** Pending as long as changes wait. */
  #round: PromiseWithResolvers<void> | undefined
  #work: Work | undefined
  #closed = false

  private constructor(
    path: string,
    database: DatabaseSync,
    note: Acknowledged,
    options: SqliteJournalOptions,
  ) {
    const { clock, maxBytes, reserveBytes, checkpointPages, erases } = options
    this.#path = path
    this.#clock = clock
    this.#database = database
    this.#insert = database.prepare('INSERT INTO entries VALUES (?, ?, ?, ?, ?)')
    this.#delete = database.prepare('DELETE FROM entries WHERE revision = ? RETURNING checksum')
    this.#advance = database.prepare(
      'UPDATE state SET id = ?, revision = ?, entries = ?, digest = ?, checksum = ?',
    )
    this.#state = { id: note.id, revision: note.revision, entries: 0, digest: 0 }
    if (checkpointPages !== undefined) database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
    if (erases) database.exec('PRAGMA secure_delete = ON')
    if (maxBytes !== undefined) {
      this.#limit = Math.max(1, Math.floor(maxBytes / PAGE))
      this.#limitPages(this.#limit)
    }
    this.#acknowledged = AcknowledgedRevision.open(notePath(path), note, clock)
    this.#reserve = new DiskReserve(`${path}-reserve`, reserveBytes)
    this.#full = !this.#reserve.held
  }

  /**
   * Opens the file, or creates it, readable only by its owner. Throws a `HomeostatError` with the reason when it
   * cannot.
   */
  static open(path: string, options: SqliteJournalOptions): SqliteJournal {
    let database: DatabaseSync | undefined
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      if (!isThere(path)) makeFile(path)
      // SQLite removes its log when a file is closed, and a refused store must not change.
      else if (sizeOf(`${path}-wal`) >= 0) inspect(path)
      database = new DatabaseSync(path)
      // The lock is taken by the first statement that reads, and held until the file is closed or the process ends.
      database.exec('PRAGMA locking_mode = EXCLUSIVE')
      return new SqliteJournal(path, database, prepare(database, path), options)
    } catch (error) {
      database?.close()
      throw journalFailure(path, ours(path, error))
    }
  }

  /** Makes a store of entries, at a revision after theirs. */
  static make(
    path: string,
    entries: readonly WrittenEntry[],
    revision: number,
    options: SqliteJournalOptions,
  ): void {
    const journal = SqliteJournal.open(path, options)
    try {
      journal.read(() => undefined)
      journal.#waiting = entries.map((entry) => ({ ...entry, replaces: 0, deletes: false }))
      journal.#commit(revision)
      journal.#acknowledged.write(revision)
    } catch (error) {
      throw journalFailure(path, error)
    } finally {
      journal.#waiting = []
      journal.close()
    }
  }

  read(take: (entry: WrittenEntry) => void): number {
    try {
      this.#state = checked(this.#path, readStore(this.#database, this.#path, take))
      this.#acknowledged.write(this.#state.revision)
      return this.#state.revision
    } catch (error) {
      this.#acknowledged.close()
      this.#database.close()
      throw journalFailure(this.#path, ours(this.#path, error))
    }
  }

  rewrite(entries: readonly WrittenEntry[]): void {
    try {
      this.#waiting = entries.map((entry) => ({ ...entry, replaces: entry.revision, deletes: false }))
      this.#commit(this.#state.revision)
      // The log still holds what was replaced.
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      throw journalFailure(this.#path, error)
    } finally {
      this.#waiting = []
    }
  }

  write(change: WrittenChange): void {
    if (this.#full && !this.#hasRoom(change)) throw fullStore(this.#path)
    // Earlier changes come first; if they still cannot be written, no new one is accepted.
    if ((this.#waiting.length > 0 && !this.#round) || this.#bytes > MOST_WAITING) this.#flush()
    this.#waiting.push(change)
    this.#bytes += change.json?.length ?? 0
    if (this.#round) return
    this.#round = Promise.withResolvers()
    // A caller need not wait for it.
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
      this.#acknowledged.close()
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

  /** Writes all waiting changes as one transaction. When that fails, none is written, and all keep waiting. */
  #flush(): void {
    const last = this.#waiting.at(-1)
    if (!last) return
    try {
      this.#commit(last.revision)
    } catch (error) {
      if (!isOutOfSpace(error) || this.#full) throw journalFailure(this.#path, error)
      this.#useReserve()
      try {
        this.#commit(last.revision)
      } catch (again) {
        throw journalFailure(this.#path, again)
      }
    }
    this.#waiting = []
    this.#bytes = 0
    this.#acknowledged.write(last.revision)
    this.onSaved(last.revision)
  }

  #commit(revision: number): void {
    let { entries, digest } = this.#state
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      for (const change of this.#waiting) {
        const { replaces, json } = change
        if (replaces !== 0) {
          const row = this.#delete.get(replaces)
          if (!row) throw corruptStore(this.#path, `${change.collection} ${change.key}`)
          digest ^= row['checksum'] as number
          entries--
        }
        if (json) {
          const { revision, collection, key } = change
          const checksum = entryChecksum({ revision, collection, key, json })
          this.#insert.run(revision, collection, key, json, checksum)
          digest ^= checksum
          entries++
        }
      }
      const state = { id: this.#state.id, revision, entries, digest: digest >>> 0 }
      this.#advance.run(...stateValues(state))
      this.#database.exec('COMMIT')
      this.#state = state
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  /** Releases the reserve, so that waiting changes can be written; from then on only deletions are accepted. */
  #useReserve(): void {
    this.#full = true
    if (this.#limit !== undefined) this.#limitPages(Math.ceil(this.#limit * (1 + SHARE_TO_DELETE)) + 8)
    this.#reserve.release()
    try {
      // Makes the log shorter: its space is used again.
      this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // The following commit reports the failure.
    }
  }

  /**
   * Whether a full store accepts a change: there is room again, or the change is for a deletion, which makes room.
   */
  #hasRoom(change: WrittenChange): boolean {
    const pages = this.#limit === undefined ? Infinity : this.#limit - this.#usedPages()
    if (pages > (this.#limit ?? 0) * SHARE_TO_DELETE && this.#reserve.take()) {
      if (this.#limit !== undefined) this.#limitPages(this.#limit)
      this.#full = false
      return true
    }
    if (change.deletes) return this.#reserve.roomFor(0)
    // Deletions leave room in the file, which does not shrink. The log still needs some space on the disk.
    const needed = 2 * (this.#bytes + (change.json?.length ?? 0))
    return pages * PAGE > needed && this.#roomInFile() > needed + SPARE && this.#reserve.roomFor(needed)
  }

  #roomInFile(): number {
    return numberOf(this.#database, 'PRAGMA freelist_count') * PAGE
  }

  #usedPages(): number {
    return numberOf(this.#database, 'PRAGMA page_count') - numberOf(this.#database, 'PRAGMA freelist_count')
  }

  #limitPages(pages: number): void {
    this.#database.exec(`PRAGMA max_page_count = ${pages}`)
  }
}

/** Where the last acknowledged revision of a store is noted. */
export function notePath(path: string): string {
  return `${path}-acknowledged`
}

/**
 * Whether the store exists; false when it must be created. Throws `STORE_INCOMPLETE` when it existed before, and is
 * missing or empty now.
 */
function isThere(path: string): boolean {
  const note = AcknowledgedRevision.read(notePath(path))
  const size = sizeOf(path)
  if (size > 0) return true
  if (typeof note === 'object' && note.revision === 0) return false
  const gone = size === 0 ? 'the file is empty' : 'the file is missing'
  if (typeof note === 'object') {
    throw incompleteStore(path, `${gone}, though revision ${note.revision} was acknowledged`)
  }
  // A store never begins with an empty file, nor with a log.
  if (note === 'damaged' || size === 0 || sizeOf(`${path}-wal`) > 0) throw incompleteStore(path, gone)
  return false
}

/**
 * Creates an empty file for a new store, after the file with the acknowledged revision, which shows that the empty
 * file is new.
 */
function makeFile(path: string): void {
  if (!AcknowledgedRevision.read(notePath(path))) AcknowledgedRevision.create(notePath(path))
  try {
    // SQLite would make it readable by all. The files beside it take its mode.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Reads a store without changing any of its files, and checks it. */
function inspect(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    if (formOf(database, path) === 'current')
      checked(
        path,
        readStore(database, path, () => undefined),
      )
  } finally {
    database.close()
    rmSync(`${path}-shm`, { force: true })
  }
}

/** Creates the tables, or migrates them to the current form. Returns the acknowledged revision. */
function prepare(database: DatabaseSync, path: string): Acknowledged {
  const form = formOf(database, path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  let note = AcknowledgedRevision.read(notePath(path))
  if (form === 'old' && note === undefined) {
    AcknowledgedRevision.create(notePath(path))
    note = AcknowledgedRevision.read(notePath(path))
  }
  if (note === undefined || note === 'damaged') throw withoutNote(path, note)
  if (form === 'current') return note
  if (note.revision > 0) {
    const what = form === 'new' ? 'its tables are gone' : 'the file is a copy of an earlier version'
    throw incompleteStore(path, `${what}, though revision ${note.revision} was acknowledged`)
  }
  if (form === 'old') upgradeTables(database, path, note.id)
  else createTables(database, note.id)
  return note
}

/** Compares the state of the store with the acknowledged revision. */
function checked(path: string, state: StoreState): StoreState {
  const note = AcknowledgedRevision.read(notePath(path))
  if (note === undefined || note === 'damaged') throw withoutNote(path, note)
  if (state.id !== note.id) {
    throw corruptStore(
      path,
      `its state: the file, its log ${path}-wal or ${notePath(path)} belongs to another store`,
    )
  }
  if (state.revision < note.revision) {
    const wal = `${path}-wal`
    const where =
      sizeOf(wal) > 0
        ? `its log ${wal} is damaged`
        : `its log ${wal} was removed, or the file is an earlier copy`
    throw incompleteStore(
      path,
      `it ends at revision ${state.revision}, but revision ${note.revision} was acknowledged; ${where}`,
    )
  }
  return state
}

function withoutNote(path: string, note: 'damaged' | undefined): Error {
  const what = note === 'damaged' ? 'is damaged' : 'is missing'
  return incompleteStore(
    path,
    `${notePath(path)}, which notes the acknowledged revision, ${what}, so the server cannot tell whether changes are lost`,
  )
}

/** A file that is not SQLite's is a damaged store if it has an acknowledged revision. */
function ours(path: string, error: unknown): unknown {
  if (((error as { errcode?: number }).errcode ?? 0) !== 26) return error
  const note = AcknowledgedRevision.read(notePath(path))
  return note === undefined ? error : corruptStore(path, 'its header', error)
}

/** In bytes; -1 when there is no such file. Throws `EISDIR` for a folder. */
function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' })
  return stats?.size ?? -1
}
