import { joinBytes } from '../text.ts'

/** Where bytes go. */
export interface Output {
  /** Resolves when more may come. Fails with `BrokenPipe` when nobody reads any more. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void>
  close?(): void
  readonly isTerminal?: boolean
}

/** Takes everything and keeps nothing. */
export const noOutput: Output = { write: async () => undefined }

/** Keeps what is written, as far as the limit. */
export class CapturedOutput implements Output {
  readonly #chunks: Uint8Array[] = []
  readonly #limit: number
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#length += bytes.length
    if (this.#length > this.#limit) throw new RangeError('too much output to hold in memory')
    this.#chunks.push(bytes.slice())
  }

  get bytes(): Uint8Array {
    return joinBytes(this.#chunks)
  }
}
