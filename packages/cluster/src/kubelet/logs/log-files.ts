import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@homeostat/api'
import { pageEnds } from './log-page.ts'
import type { LogStore } from './log-store.ts'

/** A file of a node's log, as long as on a real node, and how many of them are kept. */
const FILE_BYTES = 10 * 1_048_576
const FILES = 5
/** The longest page of a log of an earlier process. */
const FOUND_PAGE_BYTES = 65_536

interface Page {
  readonly file: number
  readonly offset: number
  readonly length: number
}

/**
 * Keeps pages in files of its own folder, which is created for the first page. Pages are written
 * synchronously, since the writer of the log cannot be made to wait. While the system has memory for them,
 * that takes no longer than a copy in memory. A page that cannot be written is lost, as on a real node.
 */
export class LogFiles implements LogStore {
  readonly #clock: Clock
  readonly #folder: string
  #pages: (Page | undefined)[] = []
  #first = 0
  #file = 0
  #length = 0
  #descriptor: number | undefined
  /** Whether the files of an earlier process have yet to be read. */
  #unseen: boolean

  /** With `found`, the log begins with the files that an earlier process left in the folder. They are read with the first read of the log. */
  constructor(clock: Clock, folder: string, { found = false }: { found?: boolean | undefined } = {}) {
    this.#clock = clock
    this.#folder = folder
    this.#unseen = found
  }

  get first(): number {
    if (this.#unseen) this.#look()
    return this.#first
  }

  get next(): number {
    if (this.#unseen) this.#look()
    return this.#first + this.#pages.length
  }

  append(page: Buffer): void {
    try {
      this.#write(page)
      this.#pages.push({ file: this.#file, offset: this.#length - page.length, length: page.length })
    } catch {
      this.#pages.push(undefined)
      // The partly written page must not be read as the beginning of the next.
      if (this.#descriptor !== undefined) this.#rotate()
    }
  }

  async read(number: number): Promise<Buffer | undefined> {
    const page = this.#pages[number - this.#first]
    if (!page) return undefined
    using _work = this.#clock.busy('reading a log')
    try {
      await using file = await open(this.#pathOf(page.file), 'r')
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(page.length),
        0,
        page.length,
        page.offset,
      )
      return bytesRead === page.length ? buffer : undefined
    } catch {
      // The page was dropped meanwhile.
      return undefined
    }
  }

  end(last?: Buffer): void {
    try {
      if (last) this.#write(last)
    } catch {
      // A later process does not have it.
    }
    this.#close()
  }

  remove(): void {
    this.#close()
    this.#unseen = false
    this.#first = this.next
    this.#pages = []
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #write(page: Buffer): void {
    if (this.#length > 0 && this.#length + page.length > FILE_BYTES) this.#rotate()
    this.#descriptor ??= this.#open()
    for (let at = 0; at < page.length;) at += writeSync(this.#descriptor, page, at)
    this.#length += page.length
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  /** Finds the pages that an earlier process has left. */
  #look(): void {
    this.#unseen = false
    for (const file of numbersIn(this.#folder)) {
      let offset = 0
      for (const end of pageEnds(bytesOf(this.#pathOf(file)), FOUND_PAGE_BYTES)) {
        this.#pages.push({ file, offset, length: end - offset })
        offset = end
      }
    }
  }

  #open(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return openSync(this.#pathOf(this.#file), 'w', 0o600)
  }

  /** Begins the next file, and removes the oldest when there are too many. */
  #rotate(): void {
    this.#close()
    this.#file++
    this.#length = 0
    const oldest = this.#file - FILES + 1
    const kept = this.#pages.findIndex((page) => page !== undefined && page.file >= oldest)
    const dropped = kept < 0 ? this.#pages.length : kept
    this.#pages.splice(0, dropped)
    this.#first += dropped
    if (oldest < 1) return
    try {
      unlinkSync(this.#pathOf(oldest - 1))
    } catch {
      // It was never written.
    }
  }

  #pathOf(file: number): string {
    return join(this.#folder, `${file}.log`)
  }
}

/** The numbers of the files of a log, the oldest first. */
function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => (/^\d+\.log$/.test(name) ? [Number.parseInt(name, 10)] : []))
      .toSorted((a, b) => a - b)
  } catch {
    return []
  }
}

/** The content of a file; empty if it cannot be read. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
