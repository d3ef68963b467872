import {
  chmodSync,
  constants,
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import {
  FileError,
  fileErrorFrom,
  trimmedPath,
  type FileStat,
  type OpenFileLimit,
  type OpenOptions,
  type ShellFiles,
} from '../files/index.ts'
import { anchored, placeOf } from './anchored.ts'
import { FolderFile } from './folder-file.ts'
import { fileStatOf } from './file-stat-of.ts'
import { FolderPaths, type Mount, type Place } from './folder-paths.ts'

/** The most that one call reads into memory, in bytes. */
const LARGEST_READ = 64 * 1024 ** 2

/** Which folders are shown, and where. */
export interface FolderFilesOptions {
  /** A folder on this machine. */
  readonly root: string
  /** Default: none. */
  readonly mounts?: readonly Mount[] | undefined
  /** Default: as many as this process may open. */
  readonly limit?: OpenFileLimit | undefined
  /** Called before every access to a file, so that the folders can be created when they are first needed. Default: they exist. */
  readonly prepare?: (() => void) | undefined
}

/**
 * A folder of this machine as a root, with mounts in it. All paths are absolute paths below that root.
 * Failures are {@link FileError}s. No path leads out of the root and the mounts: {@link FolderPaths} resolves
 * paths, and `anchored` protects them while other processes change the folders. Only files, folders and links
 * are opened.
 */
export class FolderFiles implements ShellFiles {
  readonly #options: FolderFilesOptions
  #known: FolderPaths | undefined

  constructor(options: FolderFilesOptions) {
    this.#options = options
    if (!options.prepare) this.#known = new FolderPaths(options.root, options.mounts ?? [])
  }

  get #paths(): FolderPaths {
    this.#options.prepare?.()
    return (this.#known ??= new FolderPaths(this.#options.root, this.#options.mounts ?? []))
  }

  /** These files, with a limit on the number of files that are open at once. Beyond it, opening fails with `EMFILE`. */
  withLimit(limit: OpenFileLimit): FolderFiles {
    return new FolderFiles({ ...this.#options, limit })
  }

  /** The path on this machine. It is valid only at this moment: others may change the folders on its way. */
  async resolve(path: string): Promise<string> {
    return this.#paths.find(path, true).host
  }

  /** The path in the container without links, `.` and `..`; its last part may be missing. */
  canonical(path: string): string {
    return this.#paths.find(path, true).path
  }

  open(path: string, options: OpenOptions = {}): FolderFile {
    const place = this.#paths.find(path, true)
    if (!place.exists && !options.create) throw new FileError('ENOENT', path)
    if (options.write) writable(place, path)
    const { limit } = this.#options
    if (limit && !limit.countOpen()) throw new FileError('EMFILE', path)
    let handle: number | undefined
    try {
      handle = at(place, path, (host) => openSync(host, flagsOf(options), options.mode ?? 0o644))
      refuseOther(handle, place, path)
      const file = new FolderFile(handle, path, {
        append: options.append === true,
        onClose: () => limit?.countClosed(),
      })
      if (options.truncate) file.truncate(0)
      return file
    } catch (error) {
      if (handle !== undefined) closeSync(handle)
      limit?.countClosed()
      throw fileErrorFrom(error, path)
    }
  }

  /** All bytes of a file. Fails with `EFBIG` where there are more than `limit`. */
  read(path: string, limit: number = LARGEST_READ): Uint8Array {
    using file = this.open(path)
    const { size } = file.stat()
    if (size > limit) throw new FileError('EFBIG', path)
    const chunks: Uint8Array[] = []
    let total = 0
    for (let chunk = file.read(); chunk.length > 0; chunk = file.read()) {
      total += chunk.length
      if (total > limit) throw new FileError('EFBIG', path)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  /** Writes a whole file, in place of what it held. */
  write(
    path: string,
    bytes: Uint8Array | string,
    options: { readonly mode?: number | undefined } = {},
  ): void {
    using file = this.open(path, { write: true, create: true, truncate: true, ...options })
    file.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  }

  /** The file that a path leads to, after following links; `undefined` if there is none. */
  stat(path: string): FileStat | undefined {
    return this.#stat(path, true)
  }

  /** The file at a path; a link at the end of the path is not followed. `undefined` if there is none. */
  lstat(path: string): FileStat | undefined {
    return this.#stat(path, false)
  }

  /** The names in a folder, sorted, with those of mounts. */
  list(path: string): string[] {
    const place = this.#existing(path)
    const names = at(place, path, (host) => readdirSync(host))
    return [...new Set([...names, ...this.#paths.mountedIn(place.path)])].sort()
  }

  readlink(path: string): string {
    const place = this.#paths.find(path, false)
    return at(place, path, (host) => readlinkSync(host))
  }

  /** Makes a link. Its target is a path in the container, and may be missing. */
  symlink(target: string, path: string): void {
    if (target === '' || target.includes('\0')) throw new FileError('EINVAL', path)
    this.#change(path, false, (host) => symlinkSync(target, host))
  }

  mkdir(path: string, mode = 0o755): void {
    this.#change(trimmedPath(path), false, (host) => mkdirSync(host, mode & 0o777))
  }

  rmdir(path: string): void {
    this.#change(trimmedPath(path), false, (host, place) => {
      if (this.#paths.isMountPoint(place.path)) throw new FileError('EBUSY', path)
      rmdirSync(host)
    })
  }

  unlink(path: string): void {
    this.#change(path, false, (host, place) => {
      if (this.#paths.isMountPoint(place.path)) throw new FileError('EBUSY', path)
      if (lstatSync(host).isDirectory()) throw new FileError('EISDIR', path)
      unlinkSync(host)
    })
  }

  /** Moves within the root or within one mount; between two of them it fails with `EXDEV`. */
  rename(from: string, to: string): void {
    const source = this.#paths.find(trimmedPath(from), false)
    const target = this.#paths.find(trimmedPath(to), false)
    if (!source.exists) throw new FileError('ENOENT', from)
    for (const place of [source, target]) {
      if (this.#paths.isMountPoint(place.path)) throw new FileError('EBUSY', place.path)
    }
    if (source.mount !== target.mount) throw new FileError('EXDEV', from)
    writable(source, from)
    at(source, from, (host) => at(target, to, (other) => renameSync(host, other)))
  }

  chmod(path: string, mode: number): void {
    this.#change(path, true, (host) => chmodSync(host, mode & 0o777))
  }

  /** Sets when the file was last changed, in milliseconds since 1970. */
  touch(path: string, modified: number): void {
    this.#change(path, true, (host) => utimesSync(host, modified / 1_000, modified / 1_000))
  }

  #stat(path: string, follow: boolean): FileStat | undefined {
    try {
      const place = this.#paths.find(path, follow)
      if (!place.exists) return undefined
      return fileStatOf(at(place, path, (host) => lstatSync(host)))
    } catch (error) {
      const { errno } = fileErrorFrom(error, path)
      if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined
      throw error
    }
  }

  #existing(path: string): Place {
    const place = this.#paths.find(path, true)
    if (!place.exists) throw new FileError('ENOENT', path)
    return place
  }

  #change(path: string, follow: boolean, work: (host: string, place: Place) => void): void {
    const place = this.#paths.find(path, follow)
    writable(place, path)
    at(place, path, (host) => work(host, place))
  }
}

function at<T>(place: Place, shown: string, work: (host: string) => T): T {
  try {
    return anchored(place.host, shown, work)
  } catch (error) {
    throw fileErrorFrom(error, shown)
  }
}

function writable({ mount }: Place, shown: string): void {
  if (mount?.readOnly) throw new FileError('EROFS', shown)
}

/** Does not truncate, since the opened file is checked first, and does not wait for the other end of a pipe. */
function flagsOf({ write, append, create, exclusive }: OpenOptions): number {
  return (
    (write ? constants.O_RDWR : constants.O_RDONLY) |
    (append ? constants.O_APPEND : 0) |
    (create ? constants.O_CREAT : 0) |
    (exclusive ? constants.O_EXCL : 0) |
    constants.O_NOFOLLOW |
    constants.O_NONBLOCK
  )
}

/** A folder cannot be read as a file, and a container must not reach devices and pipes of this machine. */
function refuseOther(handle: number, place: Place, shown: string): void {
  const stats = fstatSync(handle)
  if (stats.isDirectory()) throw new FileError('EISDIR', shown)
  if (!stats.isFile()) throw new FileError('EACCES', shown)
  const real = placeOf(handle)
  if (real !== undefined && real !== place.host && !real.endsWith(' (deleted)')) {
    throw new FileError('EACCES', shown)
  }
}
