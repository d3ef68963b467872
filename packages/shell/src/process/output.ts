import { joinBytes } from '@homeostat/api'

/** Where bytes go. */
export interface Output {
  /** Resolves when more may be written. Fails with `BrokenPipe` when the reader has closed. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void>
  close?(): void
  readonly isTerminal?: boolean
}

/** Discards everything. */
export const noOutput: Output = { write: async () => undefined }

/** Keeps what is written, up to a limit. Its memory is counted until it is disposed of. */
export class CapturedOutput implements Output, Disposable {
  readonly #chunks: Uint8Array[] = []
  readonly #limit: number
  readonly #allocate: (bytes: number) => void
  #length = 0
  #held = 0

  constructor(limit: number, allocate: (bytes: number) => void) {
    this.#limit = limit
    this.#allocate = allocate
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#length += bytes.length
    if (this.#length > this.#limit) throw new RangeError('too much output to hold in memory')
    this.#allocate(bytes.length)
    this.#held += bytes.length
    this.#chunks.push(bytes.slice())
  }

  [Symbol.dispose](): void {
    this.#allocate(-this.#held)
    this.#held = 0
  }

  get bytes(): Uint8Array {
    return joinBytes(this.#chunks)
  }
}
