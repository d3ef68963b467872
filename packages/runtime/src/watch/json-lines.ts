import { joinBytes } from '../transport/join-bytes.ts'

const NEWLINE = 10
const NOTHING = new Uint8Array(0)

/** Cuts a stream of bytes into its lines, wherever the chunks end. */
export class JsonLines {
  /** The beginning of a line whose end has not come yet. */
  #pieces: Uint8Array[] = []

  /**
   * The lines that this chunk completes, without their line breaks and without empty ones. They may be
   * parts of the chunk itself: read them before whoever made it uses its memory again.
   */
  push(data: Uint8Array): Uint8Array[] {
    // One class for all that is scanned later, and not a subclass for what comes from the network.
    const chunk = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    const lines: Uint8Array[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#complete(chunk.subarray(start, end))
      if (line.length > 0) lines.push(line)
      start = end + 1
    }
    if (start < chunk.length) this.#pieces.push(chunk.slice(start))
    return lines
  }

  /** What came after the last line break. */
  rest(): Uint8Array {
    return this.#complete(NOTHING)
  }

  #complete(last: Uint8Array): Uint8Array {
    if (this.#pieces.length === 0) return last
    const whole = joinBytes([...this.#pieces, last])
    this.#pieces = []
    return whole
  }
}
