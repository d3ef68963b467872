import { errorCode } from '../../work/index.ts'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fdatasync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Clock } from '@homeostat/api'

/** The content of the file: the id of its store, and the last acknowledged revision. */
export interface Acknowledged {
  readonly id: string
  /** 0 while the store is being made. */
  readonly revision: number
}

/** Where the two copies begin. They never share a sector, so a write that is cut off damages one of them. */
const SLOTS = [0, 4096] as const
/** The interval at which it is flushed to the disk, in milliseconds. */
const SYNC_INTERVAL = 1_000

/**
 * A file beside the store with the last acknowledged revision. SQLite silently ignores the damaged end of its log;
 * this file shows that changes are missing. It is written after the changes are on the disk, so that it is never
 * ahead of them. After a kill of the process it is exact; after a loss of power it may be a second behind.
 */
export class AcknowledgedRevision {
  readonly #clock: Clock
  readonly #file: number
  readonly #id: string
  #slot = 0
  #syncing = false
  #syncedAt = -Infinity
  #closed = false

  private constructor(path: string, id: string, clock: Clock) {
    this.#file = openSync(path, 'r+')
    this.#id = id
    this.#clock = clock
  }

  /** Reads the file; undefined when it does not exist, `damaged` when it cannot be read. */
  static read(path: string): Acknowledged | 'damaged' | undefined {
    let text: string
    try {
      text = readFileSync(path, 'latin1')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    const copies = SLOTS.map((start) => parse(text.slice(start))).filter((copy) => copy !== undefined)
    const [latest] = copies.sort((a, b) => b.revision - a.revision)
    return latest ?? 'damaged'
  }

  /** Creates the file for a new store, unless another process has just created it. */
  static create(path: string, id = randomBytes(16).toString('hex')): void {
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    const file = openSync(draft, 'wx', 0o600)
    try {
      const bytes = Buffer.alloc(SLOTS[1] * 2)
      for (const slot of SLOTS) bytes.write(line({ id, revision: 0 }), slot, 'latin1')
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    try {
      linkSync(draft, path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }

  static open(path: string, { id }: Acknowledged, clock: Clock): AcknowledgedRevision {
    return new AcknowledgedRevision(path, id, clock)
  }

  /** Records a revision whose changes are on the disk. */
  write(revision: number): void {
    try {
      writeSync(this.#file, line({ id: this.#id, revision }), SLOTS[this.#slot], 'latin1')
    } catch {
      // The older revision is still correct. The next write retries.
      return
    }
    this.#slot = 1 - this.#slot
    if (this.#syncing || this.#clock.monotonic() - this.#syncedAt < SYNC_INTERVAL) return
    this.#syncing = true
    this.#syncedAt = this.#clock.monotonic()
    fdatasync(this.#file, () => {
      this.#syncing = false
      if (this.#closed) closeSync(this.#file)
    })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    if (!this.#syncing) closeSync(this.#file)
  }
}

function line({ id, revision }: Acknowledged): string {
  const text = `homeostat-store ${id} ${String(revision).padStart(16, '0')}`
  return `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`
}

function parse(text: string): Acknowledged | undefined {
  const match = /^(homeostat-store ([0-9a-f]{32}) (\d{16})) ([0-9a-f]{8})\n/.exec(text)
  if (!match) return undefined
  const [, said = '', id = '', revision, checksum] = match
  return crc32(said).toString(16).padStart(8, '0') === checksum
    ? { id, revision: Number(revision) }
    : undefined
}
