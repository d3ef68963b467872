/**
 * A POSIX shell and the small commands around it, as busybox has them, inside of this process. It sees only the
 * container's files, uses the injected clock, and needs no program of the machine.
 *
 * It guarantees that no run blocks the process (endless loops yield, a full pipe makes its writer wait), that no
 * run outlives the abort of its signals, and that its memory is bounded.
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
