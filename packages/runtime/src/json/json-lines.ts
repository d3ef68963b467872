import { HomeostatError } from '@homeostat/api'
import { GrowingBytes } from '../transport/index.ts'

const NEWLINE = 10
const NOTHING = new Uint8Array(0)
/** The limit of client-go: ten times the length of the largest object. */
const LONGEST_LINE = 16 * 1024 * 1024

/**
 * Cuts a stream of bytes into its lines, wherever the chunks end. Throws a `HomeostatError` with code
 * `WATCH_LINE_TOO_LONG` at a line of more than 16 MiB.
 */
export class JsonLines {
  /** The beginning of a line that is not complete yet. */
  readonly #beginning = new GrowingBytes(LONGEST_LINE, tooLong)

  /**
   * The lines that this chunk completes, without their line breaks and without empty ones. They may be
   * parts of the chunk itself: read them before the producer of the chunk reuses its memory.
   */
  push(data: Uint8Array): Uint8Array[] {
    // A plain Uint8Array also for a Buffer from the network, so that the code that scans it sees only one class.
    const chunk = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    const lines: Uint8Array[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#beginning.complete(chunk.subarray(start, end))
      if (line.length > 0) lines.push(line)
      start = end + 1
    }
    if (start < chunk.length) this.#beginning.push(chunk.subarray(start))
    return lines
  }

  /** Whether no line has begun: the next chunk begins one. */
  get isEmpty(): boolean {
    return this.#beginning.length === 0
  }

  /** The bytes after the last line break. */
  rest(): Uint8Array {
    return this.#beginning.complete(NOTHING)
  }
}

function tooLong(limit: number): HomeostatError {
  return new HomeostatError(
    'WATCH_LINE_TOO_LONG',
    `a line of a watch is longer than ${limit} bytes, many times the size of the largest object. The stream is resumed; if this repeats, check the proxies between this process and the API server.`,
  )
}
