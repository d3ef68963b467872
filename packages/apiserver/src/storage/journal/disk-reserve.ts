import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Enough for the waiting changes, for SQLite's log, and for moving the log into the file. */
const RESERVE = 16 * 1024 * 1024
/** The space that a deletion may need, in bytes. */
const ROOM_TO_DELETE = 256 * 1024
const CHUNK = 1024 * 1024

/**
 * A file that reserves space on the disk. It is released when the disk is full: then waiting changes can still be
 * written, and objects can be deleted. It is reserved again when there is room.
 */
export class DiskReserve {
  readonly #path: string
  readonly #bytes: number
  #held: boolean

  constructor(path: string, bytes = RESERVE) {
    this.#path = path
    this.#bytes = bytes
    this.#held = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= bytes
    this.take()
  }

  get held(): boolean {
    return this.#held
  }

  /** Reserves the space, if there is enough. Returns whether it is reserved now. */
  take(): boolean {
    if (this.#held) return true
    if (this.#free() < this.#bytes + ROOM_TO_DELETE) return false
    try {
      // Random bytes, since a compressing file system would reserve nothing for zeros.
      const chunk = randomFillSync(Buffer.allocUnsafe(Math.min(CHUNK, this.#bytes)))
      const file = openSync(this.#path, 'w', 0o600)
      try {
        for (let written = 0; written < this.#bytes; written += chunk.length) writeSync(file, chunk)
      } finally {
        closeSync(file)
      }
      this.#held = true
    } catch {
      rmSync(this.#path, { force: true })
    }
    return this.#held
  }

  /** Releases the space. Returns whether there was any. */
  release(): boolean {
    const held = this.#held
    this.#held = false
    rmSync(this.#path, { force: true })
    return held
  }

  /** Whether the disk has room for a number of bytes, besides the space of a deletion. */
  roomFor(bytes: number): boolean {
    return this.#free() >= ROOM_TO_DELETE + bytes
  }

  #free(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#path))
    return bavail * bsize
  }
}
