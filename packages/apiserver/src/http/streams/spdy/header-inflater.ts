import { constants, createInflate, type Inflate } from 'node:zlib'
import { HEADER_DICTIONARY } from './dictionary.ts'
import { SpdyError } from './spdy-error.ts'

/** The longest decompressed headers of one stream: a few compressed bytes can expand to very many. */
const LONGEST_BLOCK = 65_536

/**
 * Decompresses blocks of headers. All blocks of a connection are one zlib stream, so that they must be passed in
 * order. An inflater that has failed must not be used again.
 */
export class HeaderInflater implements Disposable {
  readonly #inflate: Inflate
  #pieces: Buffer[] = []
  #length = 0
  #failed: ((error: Error) => void) | undefined

  constructor() {
    const flush = constants.Z_SYNC_FLUSH
    this.#inflate = createInflate({ dictionary: HEADER_DICTIONARY, flush, finishFlush: flush })
    this.#inflate.on('data', (piece: Buffer) => {
      this.#length += piece.length
      if (this.#length > LONGEST_BLOCK) {
        this.#inflate.destroy(new SpdyError(`headers of a stream are longer than ${LONGEST_BLOCK} bytes`))
      } else this.#pieces.push(piece)
    })
    this.#inflate.on('error', (cause) => {
      const error =
        cause instanceof SpdyError
          ? cause
          : new SpdyError(`headers cannot be decompressed: ${cause.message}`, { cause })
      this.#failed?.(error)
    })
  }

  /** Decompresses one block. */
  read(block: Uint8Array): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#failed = reject
      this.#inflate.write(block, (error) => {
        // The event reports the failure; here the result may look right.
        if (error || this.#length > LONGEST_BLOCK) return
        const whole = Buffer.concat(this.#pieces)
        this.#pieces = []
        this.#length = 0
        resolve(whole)
      })
    })
  }

  [Symbol.dispose](): void {
    this.#inflate.destroy()
  }
}
