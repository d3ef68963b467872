import { SystemClock, turnOfTheEventLoop, type Clock } from '@homeostat/api'

/** How long requests of limited levels may begin in one turn of the event loop, in milliseconds. */
const BUDGET = 0.5

/** A priority level, whose requests may begin in a later turn. */
export interface TurnTaker {
  takeTurn(now: number): void
}

/**
 * The server computes in one thread. Where a turn of the event loop has taken long, requests that arrive in it do not begin
 * at once but wait in their queues, from which the following turns take them fairly. Simulated time does not pass while the
 * server computes, so that no turn is long there.
 */
export class Turns {
  readonly #clock: Clock
  readonly #measured: boolean
  readonly #waiting = new Set<TurnTaker>()
  /** When no more requests begin in this turn; undefined where none has begun yet. */
  #end: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
    this.#measured = clock instanceof SystemClock
  }

  /** Whether turns are limited: not under simulated time. */
  get isMeasured(): boolean {
    return this.#measured
  }

  now(): number {
    return this.#clock.monotonic()
  }

  /** Whether no further request should begin in this turn. */
  isOver(now: number): boolean {
    if (!this.#measured) return false
    if (this.#end !== undefined) return now >= this.#end
    this.#open(now)
    return false
  }

  /** Calls a level in one of the next turns. */
  waitFor(taker: TurnTaker): void {
    this.#waiting.add(taker)
    if (this.#end === undefined) this.#open(this.#clock.monotonic())
  }

  #open(now: number): void {
    this.#end = now + BUDGET
    void turnOfTheEventLoop().then(() => this.#next())
  }

  #next(): void {
    this.#end = undefined
    const [taker] = this.#waiting
    if (!taker) return
    this.#waiting.delete(taker)
    taker.takeTurn(this.#clock.monotonic())
    // One level begins one request in a turn; the others are called in the turns after it.
    if (this.#waiting.size > 0 && this.#end === undefined) this.#open(this.#clock.monotonic())
  }
}
