import { closeSync, constants, openSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { FileError } from '../files/index.ts'

/** Linux's `O_PATH`, for which Node has no name: a handle on a folder that needs no right to read it. */
const O_PATH = process.platform === 'linux' ? 0o10_000_000 : 0

/**
 * Does something with a file of this machine whose path was found to contain no links, and makes sure that
 * this is still true: another process may have replaced a folder by a link meanwhile. On Linux the folder is
 * opened first, its real path is compared, and the work is done relative to the open folder, so that later
 * changes of the path do not matter. Elsewhere the path is checked just before the work, which leaves a short
 * gap.
 */
export function anchored<T>(host: string, shown: string, work: (path: string) => T): T {
  const folder = dirname(host)
  const name = basename(host)
  const handle = openSync(folder, constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH)
  try {
    const place = placeOf(handle)
    if ((place ?? realpathSync(folder)) !== folder) throw new FileError('EACCES', shown)
    return work(place === undefined ? host : join(`/proc/self/fd/${handle}`, name))
  } finally {
    closeSync(handle)
  }
}

/** The real path of an open file or folder, if the system reports it. */
export function placeOf(handle: number): string | undefined {
  try {
    return process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${handle}`) : undefined
  } catch {
    return undefined
  }
}
