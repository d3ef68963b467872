import { joinBytes, microTimestamp, type Clock } from '@homeostat/api'
import type { OutputWriter } from '../../images/index.ts'
import { LogFiles } from './log-files.ts'
import { LogFollowers } from './log-followers.ts'
import { countLines, eachLine, readPage, sizeOf, withoutLines, writePage, type Block } from './log-page.ts'
import { LogMemory, type LogStore } from './log-store.ts'

/** Selects a part of a log, in the terms of the API. */
export interface LogOptions {
  /** Whether to wait for further lines until the container ends or the signal aborts. Default: false. */
  readonly follow?: boolean | undefined
  /** Only the last lines. Default: all that are kept. */
  readonly tailLines?: number | undefined
  /** Only lines from this time on, in milliseconds since 1970. */
  readonly sinceTime?: number | undefined
  /** Puts the time before each line. Default: false. */
  readonly timestamps?: boolean | undefined
  /** Ends after this many bytes. Default: no limit. */
  readonly limitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Where a log is kept. */
export interface LogKeeping {
  /** A folder for this log alone: it keeps 5 files of 10 MiB, as a node does. Default: the log stays in memory. */
  readonly folder?: string | undefined
  /** How many bytes are kept in memory if there is no folder. Default: 1 MiB. */
  readonly limitBytes?: number | undefined
  /** Whether the folder holds the log of an earlier process. Default: false. */
  readonly found?: boolean | undefined
}

/**
 * The longest block. A longer line is kept in parts, and many lines in several blocks, so that memory stays
 * bounded.
 */
const LONGEST_BLOCK = 16_384
/** The size of the buffer in memory. */
const PAGE_BYTES = 65_536
const MEMORY_BYTES = 1_048_576
/** How many pages a reader may lag before a fast writer waits for it. It is far less than is kept. */
const FAR_IN_FILES = 64
const FAR_IN_MEMORY = 2
const NEWLINE = 0x0a

/**
 * The output of one run of a container: its last lines up to a number of bytes. The newest are in memory, so that a
 * short log needs no file. Each reader reads at its own pace. A fast writer that waits for `ready` gives followers
 * time to read; a follower that stops reading misses lines, and delays no other. A large chunk is split into lines
 * only when it is read, so that much output costs little.
 */
export class ContainerLog {
  readonly #clock: Clock
  readonly #store: LogStore
  readonly #followers: LogFollowers
  readonly #pageBytes: number
  /** The newest blocks: they become the page with the store's next number. */
  #blocks: Block[] = []
  #bytes = 0
  #ended = false
  readonly #waiting = new Set<() => void>()
  readonly #partial = new Set<{ flush(): void }>()

  constructor(clock: Clock, { folder, limitBytes = MEMORY_BYTES, found }: LogKeeping = {}) {
    this.#clock = clock
    // The buffer counts too, and is never dropped.
    this.#pageBytes = folder === undefined ? Math.min(PAGE_BYTES, limitBytes / 4) : PAGE_BYTES
    this.#store =
      folder === undefined
        ? new LogMemory(limitBytes - this.#pageBytes)
        : new LogFiles(clock, folder, { found })
    const far = folder === undefined ? FAR_IN_MEMORY : FAR_IN_FILES
    this.#followers = new LogFollowers(clock, far, () => this.#store.next)
  }

  /**
   * The log that an earlier process left in a folder: the pages that it had written to disk. It is complete
   * if the run had ended.
   */
  static found(clock: Clock, folder: string): ContainerLog {
    const log = new ContainerLog(clock, { folder, found: true })
    log.#ended = true
    return log
  }

  /** A writer for one stream. Lines of several writers are never mixed within a line. */
  writer(): OutputWriter {
    let rest = new Uint8Array(0)
    this.#partial.add({
      flush: () => {
        if (rest.length > 0) this.#append(rest)
        rest = new Uint8Array(0)
      },
    })
    const followers = this.#followers
    return {
      get ready() {
        return followers.ready
      },
      write: (text) => {
        if (this.#ended) return
        const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
        let data = rest.length > 0 ? joinBytes([rest, bytes]) : bytes
        while (data.length > 0) {
          const newline = data.subarray(0, LONGEST_BLOCK).lastIndexOf(NEWLINE)
          if (newline < 0 && data.length < LONGEST_BLOCK) break
          const end = newline < 0 ? LONGEST_BLOCK : newline + 1
          this.#append(data.slice(0, end))
          data = data.subarray(end)
        }
        rest = data.slice()
        this.#wake()
      },
    }
  }

  /** Ends the log: keeps an incomplete last line, and ends followers. */
  end(): void {
    if (this.#ended) return
    for (const partial of this.#partial) partial.flush()
    this.#ended = true
    this.#store.end(this.#blocks.length > 0 ? writePage(this.#blocks) : undefined)
    this.#wake()
  }

  /** Drops everything that is kept. */
  remove(): void {
    this.end()
    this.#blocks = []
    this.#store.remove()
  }

  /** The log as chunks. Followers get whole lines as they come. */
  async *read(options: LogOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const start = await this.#start(options)
    const follower = options.follow ? this.#followers.join(start.page) : undefined
    let left = options.limitBytes ?? Number.POSITIVE_INFINITY
    try {
      for await (const { blocks, page } of this.#blocksFrom(start, options)) {
        if (follower) this.#followers.moved(follower, page)
        const text = textOf(blocks, options)
        if (text.length > 0) yield text.subarray(0, Math.min(text.length, left))
        left -= text.length
        if (left <= 0) return
      }
    } finally {
      if (follower) this.#followers.leave(follower)
    }
  }

  /** Blocks in their order, each time with the page that they are on. */
  async *#blocksFrom(
    start: { readonly page: number; readonly skip: number },
    { signal, follow }: LogOptions,
  ): AsyncGenerator<{ blocks: readonly Block[]; page: number }, void, undefined> {
    let { page, skip } = start
    /** How many blocks of the page were given already. */
    let given = 0
    for (;;) {
      if (signal?.aborted) return
      const newest = page >= this.#store.next
      if (newest && given === this.#blocks.length) {
        if (!follow || this.#ended) return
        await this.#more(signal)
        continue
      }
      const blocks = newest ? this.#blocks.slice(given) : (await this.#page(page)).slice(given)
      given = newest ? given + blocks.length : 0
      const wanted = skip > 0 ? withoutLines(blocks, skip) : blocks
      skip = 0
      yield { blocks: wanted, page }
      if (!newest) page = Math.max(page + 1, this.#store.first)
    }
  }

  /** The page to begin with, and how many of its lines to leave out. */
  async #start({ tailLines }: LogOptions): Promise<{ page: number; skip: number }> {
    if (tailLines === undefined) return { page: this.#store.first, skip: 0 }
    let page = this.#store.next
    let missing = tailLines
    let lines = countLines(this.#blocks)
    while (missing > lines && page > this.#store.first) {
      missing -= lines
      page--
      lines = countLines(await this.#page(page))
    }
    return { page, skip: Math.max(0, lines - missing) }
  }

  /** The blocks of a page; none when it is no longer kept. */
  async #page(number: number): Promise<Block[]> {
    const page = await this.#store.read(number)
    return page ? readPage(page) : []
  }

  #append(text: Uint8Array): void {
    const block = { time: this.#clock.now(), text }
    if (this.#bytes + sizeOf(block) > this.#pageBytes && this.#blocks.length > 0) {
      this.#store.append(writePage(this.#blocks))
      this.#blocks = []
      this.#bytes = 0
    }
    this.#blocks.push(block)
    this.#bytes += sizeOf(block)
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  #more(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal?.addEventListener('abort', wake, { once: true })
    })
  }
}

/** The text of the requested blocks, in the requested form. */
function textOf(blocks: readonly Block[], { sinceTime, timestamps }: LogOptions): Uint8Array {
  const wanted = sinceTime === undefined ? blocks : blocks.filter(({ time }) => time >= sinceTime)
  const [only] = wanted
  if (wanted.length === 1 && only && !timestamps) return only.text
  return Buffer.concat(timestamps ? wanted.flatMap(withTimes) : wanted.map(({ text }) => text))
}

/** The lines, each after the time at which it came. */
function withTimes({ text, time }: Block): Uint8Array[] {
  const prefix = Buffer.from(`${microTimestamp(time).slice(0, -1)}000Z `)
  const parts: Uint8Array[] = []
  eachLine(text, (line) => parts.push(prefix, line))
  return parts
}
