import { microTimestamp, type Clock } from '@homeostat/api'
import type { OutputWriter } from '../images/index.ts'

/** What part of a log is wanted, in the terms of the API. */
export interface LogOptions {
  /** Goes on with what comes, until the container ends or the signal aborts. Default: false. */
  readonly follow?: boolean | undefined
  /** Only the last lines. Default: all that are kept. */
  readonly tailLines?: number | undefined
  /** Only lines from then on, in milliseconds since 1970. */
  readonly sinceTime?: number | undefined
  /** Puts the time before each line. Default: false. */
  readonly timestamps?: boolean | undefined
  /** Ends after so many bytes. Default: no limit. */
  readonly limitBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Lines that came at once. */
interface Block {
  readonly time: number
  /** Whole lines with their newlines, or a part of a line that is too long. */
  readonly text: Uint8Array
}

/** A longer line is kept in parts, and more lines in several blocks, so that every flood is bounded. */
const LONGEST_BLOCK = 16_384
/** What a block takes besides its bytes. */
const BLOCK_COST = 128
const NEWLINE = 0x0a

/**
 * The output of one run of a container: its last lines up to a number of bytes, in memory. Readers take
 * what is there at their own pace: one that is too slow misses lines, and nothing ever waits for it. What
 * comes at once is taken apart only when it is read, so that a flood costs little.
 */
export class ContainerLog {
  readonly #clock: Clock
  readonly #limit: number
  #blocks: Block[] = []
  /** How many at the head of the list are no longer kept. */
  #dropped = 0
  /** The number of the first block that is kept, counted from the start of the run. */
  #first = 0
  #bytes = 0
  #ended = false
  readonly #waiting = new Set<() => void>()
  readonly #partial = new Set<{ flush(): void }>()

  constructor(clock: Clock, options: { limitBytes?: number | undefined } = {}) {
    this.#clock = clock
    this.#limit = options.limitBytes ?? 1_048_576
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
    return {
      write: (text) => {
        if (this.#ended) return
        const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
        let data = rest.length > 0 ? concatenate(rest, bytes) : bytes
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

  /** No more will come: what is left of a line is kept, and followers end. */
  end(): void {
    if (this.#ended) return
    for (const partial of this.#partial) partial.flush()
    this.#ended = true
    this.#wake()
  }

  /** The log as chunks. Followers get whole lines as they come. */
  async *read(options: LogOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    let { next, skip } = this.#start(options)
    let left = options.limitBytes ?? Number.POSITIVE_INFINITY
    for (;;) {
      if (options.signal?.aborted) return
      const blocks = this.#blocks.slice(this.#dropped + Math.max(0, next - this.#first))
      next = this.#end
      for (const block of blocks) {
        if (options.sinceTime !== undefined && block.time < options.sinceTime) continue
        const lines = block.text.subarray(skip)
        skip = 0
        const text = options.timestamps ? withTimes(lines, block.time) : lines
        yield text.subarray(0, Math.min(text.length, left))
        left -= text.length
        if (left <= 0) return
      }
      if (next < this.#end) continue
      if (!options.follow || this.#ended) return
      await this.#more(options.signal)
    }
  }

  /** The block to begin with, and how many of its bytes to leave out. */
  #start({ tailLines }: LogOptions): { next: number; skip: number } {
    if (tailLines === undefined) return { next: this.#first, skip: 0 }
    let missing = tailLines
    for (let index = this.#blocks.length - 1; index >= this.#dropped && missing > 0; index--) {
      const text = this.#blocks[index]?.text ?? new Uint8Array(0)
      // Each line begins after the newline of the one before, or with the block.
      for (let from = text.length; from > 0;) {
        from = from > 1 ? text.lastIndexOf(NEWLINE, from - 2) + 1 : 0
        if (--missing === 0) return { next: this.#first + index - this.#dropped, skip: from }
      }
    }
    return { next: missing > 0 ? this.#first : this.#end, skip: 0 }
  }

  /** The number that the next block will have. */
  get #end(): number {
    return this.#first + this.#blocks.length - this.#dropped
  }

  #append(text: Uint8Array): void {
    this.#blocks.push({ time: this.#clock.now(), text })
    this.#bytes += sizeOf(text)
    while (this.#bytes > this.#limit && this.#dropped < this.#blocks.length - 1) {
      this.#bytes -= sizeOf(this.#blocks[this.#dropped++]?.text)
      this.#first++
    }
    // Copying the list now and then rather than for every block keeps a flood cheap.
    if (this.#dropped * 2 > this.#blocks.length) {
      this.#blocks = this.#blocks.slice(this.#dropped)
      this.#dropped = 0
    }
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

function sizeOf(text: Uint8Array | undefined): number {
  return (text?.length ?? 0) + BLOCK_COST
}

/** The lines, each after the time at which it came. */
function withTimes(lines: Uint8Array, time: number): Uint8Array {
  const prefix = Buffer.from(`${microTimestamp(time).slice(0, -1)}000Z `)
  const parts: Uint8Array[] = []
  for (let from = 0; from < lines.length;) {
    const newline = lines.indexOf(NEWLINE, from)
    const end = newline < 0 ? lines.length : newline + 1
    parts.push(prefix, lines.subarray(from, end))
    from = end
  }
  return Buffer.concat(parts)
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}
