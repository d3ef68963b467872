/** The files that a shell sees, as an interface that the caller implements, and the errors that it fails with. */
export { FileError, fileErrorFrom, type FileErrorCode } from './file-error.ts'
export type { FileKind, FileStat } from './file-stat.ts'
export type { OpenFileLimit, OpenOptions, ShellFile, ShellFiles } from './shell-files.ts'
export { trimmedPath } from './trimmed-path.ts'
