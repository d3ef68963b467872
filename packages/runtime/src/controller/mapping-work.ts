import type { Clock, Pausable, Work } from '@homeostat/api'

/**
 * The mappings of one controller that are under way. They keep simulated time from moving on, except while one of them waits for a first list:
 * a list that failed is repeated after some time.
 */
export class MappingWork implements Pausable {
  readonly #clock: Clock
  #running = 0
  #paused = 0
  #work: Work | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A mapping is under way until this is disposed of. */
  begin(): Disposable {
    this.#running++
    this.#update()
    const end = (): void => {
      this.#running--
      this.#update()
    }
    return { [Symbol.dispose]: end }
  }

  pause(): Disposable {
    this.#paused++
    this.#update()
    const resume = (): void => {
      this.#paused--
      this.#update()
    }
    return { [Symbol.dispose]: resume }
  }

  #update(): void {
    const holds = this.#running > 0 && this.#paused === 0
    if (holds) this.#work ??= this.#clock.busy('a mapping from an event to requests')
    else {
      this.#work?.end()
      this.#work = undefined
    }
  }
}
