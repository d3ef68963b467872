/** The default limit on the total length of the cached values, as JSON in bytes. */
const MOST = 8 * 1024 * 1024

/** A holder of a cached value. */
interface Holder {
  readonly json: Uint8Array
  /** Drops the value, unless it was used after the given turn. */
  forget(turn: number): void
}

/**
 * The cache of parsed values. Time is divided into turns: a turn ends when the values that were used in it reach half
 * of the limit. Values that were used neither in this turn nor in the one before are dropped.
 */
export class RecentValues {
  readonly #longestTurn: number
  #turn = 1
  #bytes = 0
  #now: Holder[] = []
  #before: Holder[] = []

  /** @param most The most bytes of JSON that the values may have together. */
  constructor(most = MOST) {
    this.#longestTurn = most / 2
  }

  /** The number of the current turn. */
  get turn(): number {
    return this.#turn
  }

  /** Records the first use of an entry's value in this turn; begins a new turn if this one is full. */
  add(entry: Holder): void {
    if (this.#bytes >= this.#longestTurn) this.#end()
    this.#now.push(entry)
    this.#bytes += entry.json.length
  }

  #end(): void {
    for (const entry of this.#before) entry.forget(this.#turn - 1)
    this.#before = this.#now
    this.#now = []
    this.#bytes = 0
    this.#turn++
  }
}
