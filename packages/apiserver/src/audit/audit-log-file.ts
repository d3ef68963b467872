import { createWriteStream, type WriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Clock } from '@homeostat/api'
import type { AuditLog } from './auditor.ts'

/** When a log file is replaced by a new one, and how long old ones stay. Zero: no limit. */
export interface RotationLimits {
  /** In megabytes. */
  readonly maxSize: number
  /** In days. */
  readonly maxAge: number
  /** How many old files stay. */
  readonly maxBackups: number
}

/** The most characters of events that wait for the disk. Further events are dropped, so that requests never wait. */
const MOST_WAITING = 64 * 1024 * 1024
const DAY = 24 * 60 * 60 * 1000

/**
 * An audit log in a file, or on the standard output for the path `-`. Events are written in order, one after the
 * other, while requests go on. Calls `complain` once when it begins to drop events, and for each error of the disk.
 */
export class AuditLogFile implements AuditLog {
  readonly #path: string
  readonly #limits: RotationLimits
  readonly #clock: Clock
  readonly #complain: (problem: string) => void
  #waiting: string[] = []
  #length = 0
  #writing: Promise<void> | undefined
  #stream: WriteStream | undefined
  #size = 0
  #hasDropped = false

  constructor(path: string, limits: RotationLimits, clock: Clock, complain: (problem: string) => void) {
    this.#path = path
    this.#limits = limits
    this.#clock = clock
    this.#complain = complain
  }

  write(event: string): void {
    if (this.#length > MOST_WAITING) {
      if (!this.#hasDropped) this.#complain('the audit log is written too slowly: events are dropped')
      this.#hasDropped = true
      return
    }
    this.#hasDropped = false
    this.#waiting.push(event)
    this.#length += event.length
    this.#writing ??= this.#writeAll()
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing
    const stream = this.#stream
    this.#stream = undefined
    if (stream) await new Promise<void>((resolve) => stream.end(resolve))
  }

  async #writeAll(): Promise<void> {
    try {
      // Events of the same turn of the event loop are written together.
      await Promise.resolve()
      while (this.#waiting.length > 0) {
        const text = `${this.#waiting.join('\n')}\n`
        this.#waiting = []
        this.#length = 0
        await this.#append(text)
      }
    } catch (error) {
      this.#complain(
        `the audit log ${this.#path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      )
    } finally {
      this.#writing = undefined
    }
  }

  async #append(text: string): Promise<void> {
    if (this.#path === '-') return written(process.stdout, text)
    const stream = await this.#opened(Buffer.byteLength(text))
    this.#size += Buffer.byteLength(text)
    await written(stream, text)
  }

  /** The open file. Begins a new one where this text would make it too large. */
  async #opened(length: number): Promise<WriteStream> {
    const most = this.#limits.maxSize * 1024 * 1024
    this.#size = this.#stream ? this.#size : await sizeOf(this.#path)
    if (most > 0 && this.#size > 0 && this.#size + length > most) {
      const full = this.#stream
      this.#stream = undefined
      if (full) await new Promise<void>((resolve) => full.end(resolve))
      await this.#rotate()
      this.#size = 0
    }
    this.#stream ??= createWriteStream(this.#path, { flags: 'a', mode: 0o600 }).on('error', () => {
      this.#stream = undefined
    })
    return this.#stream
  }

  /** Renames the file to a name with the current time, as kube-apiserver does, and removes old files. */
  async #rotate(): Promise<void> {
    const extension = extname(this.#path)
    const start = basename(this.#path, extension)
    const folder = dirname(this.#path)
    const time = new Date(this.#clock.now()).toISOString().replaceAll(':', '-').replace('Z', '')
    await rename(this.#path, join(folder, `${start}-${time}${extension}`))
    const isOld = (name: string): boolean =>
      name.startsWith(`${start}-`) && name.endsWith(extension) && /\d{4}-\d\d-\d\dT/.test(name)
    const old = (await readdir(folder)).filter(isOld).sort().reverse()
    const { maxBackups, maxAge } = this.#limits
    const oldest = this.#clock.now() - maxAge * DAY
    for (const [index, name] of old.entries()) {
      const path = join(folder, name)
      const tooMany = maxBackups > 0 && index >= maxBackups
      if (tooMany || (maxAge > 0 && (await stat(path)).mtimeMs < oldest)) await rm(path, { force: true })
    }
  }
}

function written(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
