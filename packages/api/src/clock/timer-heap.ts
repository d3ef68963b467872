/** A timer that waits. */
export interface WaitingTimer {
  readonly due: number
  /** Which of the timers was made first. */
  readonly sequence: number
  /** Undefined once it was cancelled or has fired. */
  callback: (() => void) | undefined
}

/** Timers in the order of their time, then of their creation. Adding and removing one costs the logarithm of their number. */
export class TimerHeap {
  /** A binary heap. A cancelled timer stays in it until it comes up, or until most are cancelled. */
  #timers: WaitingTimer[] = []
  #made = 0
  #cancelled = 0

  /** How many it holds, cancelled ones included. */
  get size(): number {
    return this.#timers.length
  }

  add(due: number, callback: () => void): WaitingTimer {
    const timer = { due, sequence: this.#made++, callback }
    this.#timers.push(timer)
    this.#rise(this.#timers.length - 1)
    return timer
  }

  cancel(timer: WaitingTimer): void {
    if (!timer.callback) return
    timer.callback = undefined
    this.#cancelled++
    if (this.#cancelled > 64 && this.#cancelled * 2 > this.#timers.length) this.#dropCancelled()
  }

  /** The timer that fires next; undefined where none waits. */
  next(): WaitingTimer | undefined {
    while (this.#timers[0] && !this.#timers[0].callback) {
      this.#cancelled--
      this.#takeFirst()
    }
    return this.#timers[0]
  }

  /** Removes the timer that fires next, and calls it back. */
  fire(): void {
    const timer = this.next()
    if (!timer) return
    this.#takeFirst()
    const { callback } = timer
    timer.callback = undefined
    callback?.()
  }

  #dropCancelled(): void {
    this.#timers = this.#timers.filter(({ callback }) => callback !== undefined)
    // From the last timer with one below it, each is brought below those that come before it.
    for (let index = (this.#timers.length >> 1) - 1; index >= 0; index--) this.#sink(index)
    this.#cancelled = 0
  }

  #takeFirst(): void {
    const last = this.#timers.pop()
    if (!last || this.#timers.length === 0) return
    this.#timers[0] = last
    this.#sink(0)
  }

  #rise(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (order(this.#timers[index]!, this.#timers[parent]!) >= 0) return
      this.#swap(index, parent)
      index = parent
    }
  }

  #sink(start: number): void {
    let index = start
    for (;;) {
      let first = index
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.#timers.length && order(this.#timers[child]!, this.#timers[first]!) < 0)
          first = child
      }
      if (first === index) return
      this.#swap(index, first)
      index = first
    }
  }

  #swap(a: number, b: number): void {
    const timer = this.#timers[a]!
    this.#timers[a] = this.#timers[b]!
    this.#timers[b] = timer
  }
}

function order(a: WaitingTimer, b: WaitingTimer): number {
  return a.due - b.due || a.sequence - b.sequence
}
