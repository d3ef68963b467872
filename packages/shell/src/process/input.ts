import { joinBytes } from '@homeostat/api'

/** A line, and how it ended. */
export interface InputLine {
  readonly bytes: Uint8Array
  /** Whether a newline ended it; the last line of a file may have none. */
  readonly ended: boolean
}

const NEWLINE = 10
/** The bytes that are processed without a pause. */
const LARGEST_CHUNK = 65_536
/** The longest line that is kept in memory as a whole. */
const LONGEST_LINE = 1024 ** 2

/**
 * An input of bytes. Several processes may read from it in turn: each leaves the bytes that it has not used to the
 * next.
 */
export abstract class Input {
  #rest: Uint8Array | undefined

  /** The next bytes; `undefined` at the end. */
  protected abstract pull(signal: AbortSignal): Promise<Uint8Array | undefined>

  /** Closes the underlying source. */
  close(): void {}

  /** The prompt, which only a terminal shows. */
  prompt(_text: string): void {}

  /** Whether a person types here. */
  get isTerminal(): boolean {
    return false
  }

  /** The next bytes, never empty, at most `limit` and no more than a pipe holds; `undefined` at the end. */
  async read(signal: AbortSignal, most = LARGEST_CHUNK): Promise<Uint8Array | undefined> {
    signal.throwIfAborted()
    let bytes = this.#rest
    this.#rest = undefined
    while (bytes === undefined || bytes.length === 0) {
      bytes = await this.pull(signal)
      if (bytes === undefined) return undefined
    }
    const limit = Math.min(most, LARGEST_CHUNK)
    if (bytes.length <= limit) return bytes
    this.#rest = bytes.subarray(limit)
    return bytes.subarray(0, limit)
  }

  /** Bytes up to and without the next delimiter; `undefined` at the end. A line that is too long comes in pieces. */
  async readLine(signal: AbortSignal, delimiter = NEWLINE): Promise<InputLine | undefined> {
    const pieces: Uint8Array[] = []
    let length = 0
    while (length < LONGEST_LINE) {
      const bytes = await this.read(signal)
      if (bytes === undefined)
        return pieces.length > 0 ? { bytes: joinBytes(pieces), ended: false } : undefined
      const at = bytes.indexOf(delimiter)
      if (at >= 0) {
        if (at + 1 < bytes.length) this.#rest = bytes.subarray(at + 1)
        pieces.push(bytes.subarray(0, at))
        return { bytes: joinBytes(pieces), ended: true }
      }
      pieces.push(bytes)
      length += bytes.length
    }
    return { bytes: joinBytes(pieces), ended: false }
  }

  /** The lines that are available at once, at least one; `undefined` at the end. */
  async readLines(signal: AbortSignal): Promise<InputLine[] | undefined> {
    const first = await this.readLine(signal)
    if (!first) return undefined
    const lines = [first]
    const bytes = this.#rest
    if (!bytes) return lines
    let start = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      lines.push({ bytes: bytes.subarray(start, at), ended: true })
      start = at + 1
    }
    this.#rest = start < bytes.length ? bytes.subarray(start) : undefined
    return lines
  }

  /** Reads the rest of the input. Fails with a `RangeError` where it is longer than the limit. */
  async readAll(signal: AbortSignal, limit: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    let length = 0
    for (let bytes = await this.read(signal); bytes; bytes = await this.read(signal)) {
      length += bytes.length
      if (length > limit) throw new RangeError('too much input to hold in memory')
      pieces.push(bytes)
    }
    return joinBytes(pieces)
  }
}

/** An empty input. */
export class NoInput extends Input {
  protected override async pull(): Promise<undefined> {
    return undefined
  }
}

/** A text as an input: a here-document. */
export class BytesInput extends Input {
  #bytes: Uint8Array | undefined

  constructor(bytes: Uint8Array) {
    super()
    this.#bytes = bytes
  }

  protected override async pull(): Promise<Uint8Array | undefined> {
    const bytes = this.#bytes
    this.#bytes = undefined
    return bytes
  }
}
