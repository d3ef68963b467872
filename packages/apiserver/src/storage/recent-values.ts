/** How long the values that are held may be in all, as JSON in bytes, unless told otherwise. */
const MOST = 8 * 1024 * 1024

/** What holds a value that can be made again. */
interface Holder {
  readonly json: Uint8Array
  /** Lets go of the value, unless it was used after the given turn. */
  forget(turn: number): void
}

/**
 * Which entries hold their value. Time passes in turns: one ends when the values that were used in it are half as long as
 * all may be. What was used neither in this turn nor in the one before is forgotten.
 */
export class RecentValues {
  readonly #longestTurn: number
  #turn = 1
  #bytes = 0
  #now: Holder[] = []
  #before: Holder[] = []

  /** @param most How long the values may be in all, as JSON in bytes; a turn goes on until it is full. */
  constructor(most = MOST) {
    this.#longestTurn = most / 2
  }

  /** The number of the turn that this is. */
  get turn(): number {
    return this.#turn
  }

  /** Notes an entry whose value is used for the first time in this turn, or, where that is full, in a new one. */
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
