import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as afterThisRound } from 'node:timers'
import type { Clock, Work } from '@homeostat/api'
import { AcknowledgedRevision, type Acknowledged } from './acknowledged-revision.ts'
import { DiskReserve } from './disk-reserve.ts'
import type { RewritableJournal } from './encrypted-journal.ts'
import type { WrittenChange, WrittenEntry } from './journal.ts'
import { corruptStore, fullStore, isOutOfSpace, journalFailure } from './journal-failure.ts'
import { checkState, notePath, openFailure, prepareFile, prepareTables } from './sqlite-file.ts'
import { entryChecksum, numberOf, readStore, stateValues, type StoreState } from './sqlite-form.ts'

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
      prepareFile(path)
      database = new DatabaseSync(path)
      // The lock is taken by the first statement that reads, and held until the file is closed or the process ends.
      database.exec('PRAGMA locking_mode = EXCLUSIVE')
      return new SqliteJournal(path, database, prepareTables(database, path), options)
    } catch (error) {
      database?.close()
      throw journalFailure(path, openFailure(path, error))
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
      this.#state = checkState(this.#path, readStore(this.#database, this.#path, take))
      this.#acknowledged.write(this.#state.revision)
      return this.#state.revision
    } catch (error) {
      this.#acknowledged.close()
      this.#database.close()
      throw journalFailure(this.#path, openFailure(this.#path, error))
    }
  }

  rewrite(entries: readonly WrittenEntry[]): void {
    try {
      this.#waiting = entries.map((entry) => ({ ...entry, replaces: entry.revision, deletes: false }))
      this.#commit(this.#state.revision)
      // The log still contains the replaced values.
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
