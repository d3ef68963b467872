import { closeSync, mkdirSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@homeostat/api'
import type { LogStore } from './log-store.ts'

/** A file of a node's log, as long as on a real node, and how many of them are kept. */
const FILE_BYTES = 10 * 1_048_576
const FILES = 5

interface Page {
  readonly file: number
  readonly offset: number
  readonly length: number
}

/**
 * Keeps pages in files of a folder of its own, which is made for the first page. Pages are written at once, since whoever
 * writes them cannot be made to wait; that takes no longer than a copy in memory while the system has room for them. A
 * page that the disk does not take is lost, as on a real node.
 */
export class LogFiles implements LogStore {
  readonly #clock: Clock
  readonly #folder: string
  readonly #fileBytes: number
  #pages: (Page | undefined)[] = []
  #first = 0
  #file = 0
  #length = 0
  #descriptor: number | undefined

  constructor(clock: Clock, folder: string, options: { fileBytes?: number | undefined } = {}) {
    this.#clock = clock
    this.#folder = folder
    this.#fileBytes = options.fileBytes ?? FILE_BYTES
  }

  get first(): number {
    return this.#first
  }

  get next(): number {
    return this.#first + this.#pages.length
  }

  append(page: Buffer): void {
    try {
      if (this.#length > 0 && this.#length + page.length > this.#fileBytes) this.#rotate()
      this.#descriptor ??= this.#open()
      for (let at = 0; at < page.length;) at += writeSync(this.#descriptor, page, at)
      this.#pages.push({ file: this.#file, offset: this.#length, length: page.length })
      this.#length += page.length
    } catch {
      this.#pages.push(undefined)
      // What was written of it must not be taken for the beginning of the next.
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
      // It was given up in the meantime.
      return undefined
    }
  }

  end(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  remove(): void {
    this.end()
    this.#first = this.next
    this.#pages = []
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #open(): number {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return openSync(this.#pathOf(this.#file), 'w', 0o600)
  }

  /** Begins the next file, and gives up the oldest when there are too many. */
  #rotate(): void {
    this.end()
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
