const NEWLINE = 10

/** Cuts a stream of bytes into the lines of text that it holds, wherever the chunks end. */
export class JsonLines {
  readonly #decoder = new TextDecoder()
  /** The beginning of a line whose end has not come yet. */
  #pieces: Uint8Array[] = []

  /** The lines that this chunk completes, without their line breaks and without empty ones. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#complete(chunk.subarray(start, end))
      if (line !== '') lines.push(line)
      start = end + 1
    }
    // The rest is copied: whoever made the chunk may use its memory again.
    if (start < chunk.length) this.#pieces.push(chunk.slice(start))
    return lines
  }

  /** What came after the last line break. */
  rest(): string {
    return this.#complete(new Uint8Array(0))
  }

  #complete(last: Uint8Array): string {
    if (this.#pieces.length === 0) return this.#decoder.decode(last)
    const pieces = [...this.#pieces, last]
    this.#pieces = []
    const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
    let offset = 0
    for (const piece of pieces) {
      whole.set(piece, offset)
      offset += piece.length
    }
    return this.#decoder.decode(whole)
  }
}
