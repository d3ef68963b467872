/** How slowly the smoothed demand follows a demand that falls, for each period. */
const SMOOTHING = 0.977

/** How many seats a priority level could use over time, and what follows for the next period. */
export class SeatDemand {
  /** The most seats of the last period. */
  most = 0
  average = 0
  deviation = 0
  smoothed = 0
  #current = 0
  #high = 0
  #since: number
  #began: number
  #sum = 0
  #squares = 0

  constructor(now: number) {
    this.#since = now
    this.#began = now
  }

  set(seats: number, now: number): void {
    const time = now - this.#since
    this.#since = now
    this.#sum += time * this.#current
    this.#squares += time * this.#current * this.#current
    this.#current = seats
    if (seats > this.#high) this.#high = seats
  }

  /** Ends a period. */
  next(now: number): void {
    this.set(this.#current, now)
    this.most = this.#high
    const time = now - this.#began
    if (time > 0) {
      this.average = this.#sum / time
      this.deviation = Math.sqrt(Math.max(0, this.#squares / time - this.average ** 2))
      const envelope = this.average + this.deviation
      this.smoothed = Math.max(envelope, SMOOTHING * this.smoothed + (1 - SMOOTHING) * envelope)
    }
    this.#began = now
    this.#sum = 0
    this.#squares = 0
    this.#high = this.#current
  }
}
