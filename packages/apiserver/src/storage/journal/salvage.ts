import { errorCode } from '../../work/index.ts'
import { mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@homeostat/api'
import { AcknowledgedRevision } from './acknowledged-revision.ts'
import type { WrittenEntry } from './journal.ts'
import { entryChecksum, entryOf, stateChecksum, stateOf } from './sqlite-form.ts'
import { notePath } from './sqlite-file.ts'
import { SqliteJournal, type SqliteJournalOptions } from './sqlite-journal.ts'

/** The data that a damaged store has lost, and those that could be read. */
export interface DataLoss {
  /** The problem, in a sentence. */
  readonly problem: string
  /** The folder that the damaged files are in now. */
  readonly movedTo: string
  /** How many objects could be read. Some may be in an earlier state, and some may have been deleted since. */
  readonly objects: number
  /** The last change that could be read. */
  readonly readRevision: number
  /** The last acknowledged change, if it is known. */
  readonly acknowledgedRevision: number
}

/** The gap in revisions after a loss: clients that saw lost changes must list again. */
const STEP = 1_000

/**
 * Moves a damaged store aside and makes another with the objects that can be read. Revisions continue after all that
 * were acknowledged, so none is used twice.
 */
export function salvageStore(path: string, problem: Error, options: SqliteJournalOptions): DataLoss {
  const acknowledged = AcknowledgedRevision.read(notePath(path))
  const movedTo = moveAside(path, options.clock)
  const { entries, revision } = readable(join(movedTo, basename(path)))
  const noted = typeof acknowledged === 'object' ? acknowledged.revision : 0
  const readRevision = entries.reduce((most, entry) => Math.max(most, entry.revision), revision)
  const acknowledgedRevision = Math.max(noted, readRevision)
  SqliteJournal.make(path, entries, acknowledgedRevision + STEP, options)
  return {
    problem: problem.message,
    movedTo,
    objects: entries.length,
    readRevision,
    acknowledgedRevision,
  }
}

function moveAside(path: string, clock: Clock): string {
  const time = new Date(clock.now()).toISOString().replaceAll(':', '-')
  const folder = freeName(join(dirname(path), `damaged-${time}`))
  for (const suffix of ['', '-wal', '-shm', '-journal', '-acknowledged']) {
    try {
      renameSync(path + suffix, join(folder, basename(path) + suffix))
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
  return folder
}

function freeName(name: string): string {
  for (let count = 0; ; count++) {
    const folder = count === 0 ? name : `${name}-${count}`
    try {
      mkdirSync(folder, { mode: 0o700 })
      return folder
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

/** Every intact entry, the latest of each key, and the last revision; 1 where none can be read. */
function readable(path: string): { entries: WrittenEntry[]; revision: number } {
  const latest = new Map<string, WrittenEntry>()
  let revision = 1
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true })
    revision = readRevision(database)
    // Damage in the middle ends a scan: one from each end finds more.
    for (const order of ['ASC', 'DESC']) collect(database, order, latest)
  } catch {
    // Keeps what was read so far.
  } finally {
    database?.close()
  }
  return { entries: [...latest.values()].sort((a, b) => a.revision - b.revision), revision }
}

function readRevision(database: DatabaseSync): number {
  try {
    const row = database.prepare('SELECT * FROM state').get()
    if (!row) return 1
    const state = stateOf(row)
    return row['checksum'] === stateChecksum(state) ? state.revision : 1
  } catch {
    return 1
  }
}

function collect(database: DatabaseSync, order: string, latest: Map<string, WrittenEntry>): void {
  try {
    for (const row of database.prepare(`SELECT * FROM entries ORDER BY revision ${order}`).iterate()) {
      const entry = entryOf(row)
      if (!(entry.json instanceof Uint8Array) || entryChecksum(entry) !== row['checksum']) continue
      const place = `${entry.collection} ${entry.key}`
      if ((latest.get(place)?.revision ?? 0) < entry.revision) latest.set(place, entry)
    }
  } catch {
    // The rest cannot be read in this order.
  }
}
