const NOTHING = new Uint8Array(0)

/** Creates the error for more bytes than the limit allows. */
type TooLong = (limit: number) => Error

/**
 * Collects the bytes of a value that arrives in parts, up to a limit. It holds at most twice as many bytes as
 * arrived, however small the parts are.
 */
export class GrowingBytes {
  readonly #limit: number
  readonly #tooLong: TooLong
  #bytes: Uint8Array = NOTHING
  #length = 0

  constructor(limit: number, tooLong: TooLong) {
    this.#limit = limit
    this.#tooLong = tooLong
  }

  /** How many bytes have arrived of the value that is not complete yet. */
  get length(): number {
    return this.#length
  }

  /** Copies the next part. Throws where the value becomes longer than the limit. */
  push(part: Uint8Array): void {
    const length = this.#length + part.length
    if (length > this.#limit) throw this.#tooLong(this.#limit)
    if (length > this.#bytes.length) this.#grow(length)
    this.#bytes.set(part, this.#length)
    this.#length = length
  }

  /** Returns the whole value, which ends with this part, and begins the next one. */
  complete(last: Uint8Array): Uint8Array {
    if (this.#length > 0) this.push(last)
    else if (last.length > this.#limit) throw this.#tooLong(this.#limit)
    else return last
    const whole = this.#bytes.subarray(0, this.#length)
    this.#bytes = NOTHING
    this.#length = 0
    return whole
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
