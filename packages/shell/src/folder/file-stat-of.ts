import type { Stats } from 'node:fs'
import type { FileKind, FileStat } from '../files/index.ts'

/** The system's information about a file as a `FileStat`. */
export function fileStatOf(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mode: stats.mode & 0o777,
    modified: stats.mtimeMs,
    links: stats.nlink,
    uid: stats.uid,
    gid: stats.gid,
    identity: `${stats.dev}:${stats.ino}`,
  }
}

function kindOf(stats: Stats): FileKind {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}
