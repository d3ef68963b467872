/**
 * A POSIX shell and the small commands around it, as busybox has them, inside of this process: it sees the container's
 * files and nothing else, lives in the injected clock's time, and needs no program of the machine.
 *
 * Promised: no run blocks the process (endless loops give way, a full pipe makes its writer wait), none outlives
 * the abort of its signals, and nothing that it reads or writes grows without bound.
 */
export type { Connection } from './host/connection.ts'
export {
  FileError,
  type FileErrorCode,
  type FileKind,
  type FileStat,
  type OpenFileLimit,
  type OpenOptions,
  type ShellFile,
  type ShellFiles,
} from './files/index.ts'
export { FolderFiles, type FolderFile, type FolderFilesOptions, type Mount } from './folder/index.ts'
export { isShellCommand } from './interpreter/programs.ts'
export type { OutputWriter } from './host/output-writer.ts'
export { runShell } from './run-shell.ts'
export type { ShellRun, Terminal } from './host/shell-run.ts'
