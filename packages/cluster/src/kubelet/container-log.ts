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

interface Line {
  readonly time: number
  /** With its newline, except for a part of a line that is too long. */
  readonly text: Uint8Array
}

/** A longer line is kept in parts, so that a flood without newlines is bounded too. */
const LONGEST_LINE = 16_384
const NEWLINE = 0x0a

/**
 * The output of one run of a container: its last lines up to a number of bytes, in memory. Readers take
 * what is there at their own pace: one that is too slow misses lines, and nothing ever waits for it.
 */
export class ContainerLog {
  readonly #clock: Clock
  readonly #limit: number
  #lines: Line[] = []
  /** How many at the head of the list are no longer kept. */
  #dropped = 0
  /** The number of the first line that is kept, counted from the start of the run. */
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
        for (;;) {
          const newline = data.indexOf(NEWLINE)
          const end = newline < 0 || newline >= LONGEST_LINE ? LONGEST_LINE : newline + 1
          if (newline < 0 && data.length < LONGEST_LINE) break
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
    let next = this.#start(options)
    let left = options.limitBytes ?? Number.POSITIVE_INFINITY
    for (;;) {
      if (options.signal?.aborted) return
      const lines = this.#lines.slice(this.#dropped + Math.max(0, next - this.#first))
      next = this.#end
      for (const line of lines) {
        if (options.sinceTime !== undefined && line.time < options.sinceTime) continue
        const text = options.timestamps ? withTime(line) : line.text
        yield text.subarray(0, Math.min(text.length, left))
        left -= text.length
        if (left <= 0) return
      }
      if (next < this.#end) continue
      if (!options.follow || this.#ended) return
      await this.#more(options.signal)
    }
  }

  #start({ tailLines }: LogOptions): number {
    return tailLines === undefined ? this.#first : Math.max(this.#first, this.#end - tailLines)
  }

  /** The number that the next line will have. */
  get #end(): number {
    return this.#first + this.#lines.length - this.#dropped
  }

  #append(text: Uint8Array): void {
    this.#lines.push({ time: this.#clock.now(), text })
    this.#bytes += text.length
    while (this.#bytes > this.#limit && this.#dropped < this.#lines.length - 1) {
      this.#bytes -= this.#lines[this.#dropped++]?.text.length ?? 0
      this.#first++
    }
    // Copying the list now and then rather than for every line keeps a flood cheap.
    if (this.#dropped * 2 > this.#lines.length) {
      this.#lines = this.#lines.slice(this.#dropped)
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

function withTime(line: Line): Uint8Array {
  const time = `${microTimestamp(line.time).slice(0, -1)}000Z `
  return concatenate(new TextEncoder().encode(time), line.text)
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}
