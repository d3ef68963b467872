import { closeSync, fchmodSync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { FileError, fileErrorFrom, type FileStat, type ShellFile } from '../files/index.ts'
import { fileStatOf } from './file-stat-of.ts'

/** How large a file may become, in bytes. */
const LARGEST_FILE = 8 * 1024 ** 3
const CHUNK = 65_536

/**
 * An open file. Its owner closes it. Reading and writing are done at once, without a thread in between: each call is
 * bounded, and simulated time sees no work that it would have to wait for.
 */
export class FolderFile implements ShellFile {
  readonly path: string
  readonly #append: boolean
  readonly #onClose: () => void
  #handle: number | undefined
  #position = 0

  /** Takes over the handle. */
  constructor(
    handle: number,
    path: string,
    options: { readonly append: boolean; readonly onClose: () => void },
  ) {
    this.#handle = handle
    this.path = path
    this.#append = options.append
    this.#onClose = options.onClose
  }

  /** The next bytes, at most `length`; none at the end. */
  read(length: number = CHUNK): Uint8Array {
    const buffer = new Uint8Array(Math.min(length, CHUNK))
    const count = this.#try((handle) => readSync(handle, buffer, 0, buffer.length, this.#position))
    this.#position += count
    return buffer.subarray(0, count)
  }

  write(bytes: Uint8Array): void {
    if (this.#append) this.#position = this.stat().size
    if (this.#position + bytes.length > LARGEST_FILE) throw new FileError('EFBIG', this.path)
    for (let done = 0; done < bytes.length;) {
      const count = this.#try((handle) =>
        writeSync(handle, bytes, done, bytes.length - done, this.#append ? null : this.#position),
      )
      done += count
      this.#position += count
    }
  }

  /** Where the next read or write happens. */
  seek(position: number): void {
    this.#position = position
  }

  get position(): number {
    return this.#position
  }

  truncate(length: number): void {
    this.#try((handle) => ftruncateSync(handle, length))
  }

  chmod(mode: number): void {
    this.#try((handle) => fchmodSync(handle, mode & 0o777))
  }

  stat(): FileStat {
    return fileStatOf(this.#try((handle) => fstatSync(handle)))
  }

  close(): void {
    const handle = this.#handle
    this.#handle = undefined
    if (handle === undefined) return
    closeSync(handle)
    this.#onClose()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #try<T>(work: (handle: number) => T): T {
    if (this.#handle === undefined) throw new FileError('EIO', this.path)
    try {
      return work(this.#handle)
    } catch (error) {
      throw fileErrorFrom(error, this.path)
    }
  }
}
