import type { FileStat } from './file-stat.ts'

/** How a file is opened. Default: only for reading. */
export interface OpenOptions {
  readonly write?: boolean | undefined
  /** Every write goes to the end. */
  readonly append?: boolean | undefined
  /** Creates the file if it does not exist. */
  readonly create?: boolean | undefined
  /** Fails if the file exists. */
  readonly exclusive?: boolean | undefined
  readonly truncate?: boolean | undefined
  /** The permission bits of a new file. Default: 0o644. */
  readonly mode?: number | undefined
}

/** Counts the files that are open at once. */
export interface OpenFileLimit {
  /** Counts one more open file. Returns false, and counts nothing, where the limit is reached. */
  countOpen(): boolean
  /** Counts one open file less. */
  countClosed(): void
}

/**
 * The files that a shell sees. All paths are absolute. Calls are synchronous: each is short, and simulated time sees no
 * work that it would have to wait for. Failures are {@link FileError}s.
 */
export interface ShellFiles {
  /** These files, with a limit on the number of files that are open at once. Beyond it, opening fails with `EMFILE`. */
  withLimit(limit: OpenFileLimit): ShellFiles
  /** The path without links, `.` and `..`; its last part may be missing. */
  canonical(path: string): string
  open(path: string, options?: OpenOptions): ShellFile
  /** All bytes of a file. Fails with `EFBIG` where there are more than `limit`. */
  read(path: string, limit?: number): Uint8Array
  /** Writes a whole file, in place of what it held. */
  write(path: string, bytes: Uint8Array | string, options?: { readonly mode?: number | undefined }): void
  /** The file that a path leads to, after following links; `undefined` if there is none. */
  stat(path: string): FileStat | undefined
  /** The file at a path; a link at the end of the path is not followed. `undefined` if there is none. */
  lstat(path: string): FileStat | undefined
  /** The names in a folder, sorted. */
  list(path: string): string[]
  readlink(path: string): string
  /** Makes a link. Its target may be missing. */
  symlink(target: string, path: string): void
  mkdir(path: string, mode?: number): void
  rmdir(path: string): void
  unlink(path: string): void
  /** Moves a file or folder. Fails with `EXDEV` where it would have to be copied. */
  rename(from: string, to: string): void
  chmod(path: string, mode: number): void
  /** Sets when the file was last changed, in milliseconds since 1970. */
  touch(path: string, modified: number): void
}

/** An open file. Its owner closes it. */
export interface ShellFile extends Disposable {
  readonly path: string
  /** Where the next read or write happens. */
  readonly position: number
  /** The next bytes, at most `length`; none at the end. */
  read(length?: number): Uint8Array
  write(bytes: Uint8Array): void
  seek(position: number): void
  truncate(length: number): void
  chmod(mode: number): void
  stat(): FileStat
  close(): void
}
