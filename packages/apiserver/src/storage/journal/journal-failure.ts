import { HomeostatError } from '@homeostat/api'

/** The remedy for a damaged or incomplete store. */
const REMEDY =
  'Restore a backup of the whole folder, or start once with --accept-data-loss (acceptDataLoss): that moves the damaged files aside and continues with the objects that can be read'

/** Messages with remedies, by the low byte of SQLite's error codes. */
const SQLITE_FAILURES: ReadonlyMap<number, readonly [code: string, what: string]> = new Map([
  [3, ['STORE_NOT_WRITABLE', 'may not be opened: give this user the right to write it']],
  [5, ['STORE_IN_USE', 'is in use by another process: stop that one, or choose another folder']],
  [6, ['STORE_IN_USE', 'is in use by another process: stop that one, or choose another folder']],
  [8, ['STORE_NOT_WRITABLE', 'cannot be written: give this user the right to, or choose another folder']],
  [10, ['STORE_DISK_FAILED', 'could not be read or written: check the disk, then try again']],
  [11, ['STORE_CORRUPT', `is damaged. ${REMEDY}`]],
  [13, ['STORE_FULL', 'has no room to grow: free space on its disk, then try again']],
  [14, ['STORE_NOT_WRITABLE', 'cannot be opened: give this user the right to write its folder']],
  [26, ['STORE_FOREIGN', 'is not a file of this server: choose another folder, or move the file away']],
])
const FILE_FAILURES: ReadonlyMap<string, readonly [code: string, what: string]> = new Map([
  ['EACCES', ['STORE_NOT_WRITABLE', 'may not be opened: give this user the right to write its folder']],
  ['EPERM', ['STORE_NOT_WRITABLE', 'may not be opened: give this user the right to write its folder']],
  ['EROFS', ['STORE_NOT_WRITABLE', 'is on a disk that cannot be written: choose another folder']],
  ['ENOTDIR', ['STORE_NOT_WRITABLE', 'cannot be created: a file has the name of its folder']],
  ['EEXIST', ['STORE_NOT_WRITABLE', 'cannot be created: a file has the name of its folder']],
  ['EISDIR', ['STORE_FOREIGN', 'is a folder: choose another place']],
  ['ENOSPC', ['STORE_FULL', 'has no room: free space on its disk, then try again']],
])

/** An error of SQLite or of the file system as an error of the store. */
export function journalFailure(path: string, cause: unknown): HomeostatError {
  if (cause instanceof HomeostatError) return cause
  const { errcode, code, message } = cause as { errcode?: number; code?: string; message?: string }
  const [name, what] =
    (errcode === undefined ? FILE_FAILURES.get(code ?? '') : SQLITE_FAILURES.get(errcode & 0xff)) ??
    (['STORE_FAILED', `cannot be used: ${message}`] as const)
  return new HomeostatError(name, `the store ${path} ${what}`, { cause })
}

/** Whether SQLite failed because of missing space. A quota shows as a failed write. */
export function isOutOfSpace(cause: unknown): boolean {
  const { errcode = 0 } = cause as { errcode?: number }
  return (errcode & 0xff) === 13 || errcode === 778
}

/** Whether the store is damaged or not whole, so that accepting a loss helps. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof HomeostatError && (error.code === 'STORE_CORRUPT' || error.code === 'STORE_INCOMPLETE')
  )
}

/** A file that holds something else. */
export function foreignStore(path: string): HomeostatError {
  return new HomeostatError(
    'STORE_FOREIGN',
    `the store ${path} is an SQLite file of another program: choose another folder, or move the file away`,
  )
}

/** A file in a form of a newer version. */
export function newerStore(path: string, form: number): HomeostatError {
  return new HomeostatError(
    'STORE_TOO_NEW',
    `the store ${path} was written by a newer version of this server (form ${form}): use that version`,
  )
}

/** A file whose content differs from what was written. */
export function corruptStore(path: string, place: string, cause?: unknown): HomeostatError {
  return new HomeostatError('STORE_CORRUPT', `the store ${path} is damaged at ${place}. ${REMEDY}`, { cause })
}

/** A store that lacks a part of its content. */
export function incompleteStore(path: string, what: string): HomeostatError {
  return new HomeostatError('STORE_INCOMPLETE', `the store ${path} is incomplete: ${what}. ${REMEDY}`)
}

/** Begins with the message of a full etcd. */
export function fullStore(path: string): HomeostatError {
  return new HomeostatError(
    'STORE_FULL',
    `etcdserver: mvcc: database space exceeded: the store ${path} has no room to grow. Free space on its disk; until then reads and deletions are served, and writes are refused`,
  )
}
