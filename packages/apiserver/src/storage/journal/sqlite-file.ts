import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../work/index.ts'
import { AcknowledgedRevision, type Acknowledged } from './acknowledged-revision.ts'
import { corruptStore, incompleteStore } from './journal-failure.ts'
import { createTables, formOf, readStore, upgradeTables, type StoreState } from './sqlite-form.ts'

/** Where the last acknowledged revision of a store is noted. */
export function notePath(path: string): string {
  return `${path}-acknowledged`
}

/** Creates the file of a new store, or checks an existing one. A store that is refused is not changed. */
export function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!isThere(path)) makeFile(path)
  // SQLite removes its log when a file is closed, and a refused store must not change.
  else if (sizeOf(`${path}-wal`) >= 0) inspect(path)
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
      checkState(
        path,
        readStore(database, path, () => undefined),
      )
  } finally {
    database.close()
    rmSync(`${path}-shm`, { force: true })
  }
}

/** Creates the tables, or migrates them to the current form. Returns the acknowledged revision. */
export function prepareTables(database: DatabaseSync, path: string): Acknowledged {
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
export function checkState(path: string, state: StoreState): StoreState {
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

/** The error of opening a file. If SQLite did not write the file, and the store has an acknowledged revision, the store is damaged. */
export function openFailure(path: string, error: unknown): unknown {
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
