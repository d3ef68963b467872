/**
 * The files of a container: a folder of this machine that is its root, and what is mounted into it. No path, link or
 * race leads out of them.
 */
export { ContainerFiles, type ContainerMount, type OpenFileLimit } from './container-files.ts'
export type { ContainerFile, OpenOptions } from './container-file.ts'
export { FileError, type FileErrorCode } from './file-error.ts'
export type { FileKind, FileStat } from './file-stat.ts'
export { trimmedPath } from './trimmed-path.ts'
