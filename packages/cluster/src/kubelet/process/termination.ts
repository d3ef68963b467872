import type { Clock, Timer } from '@homeostat/api'
import type { Run } from './run.ts'

/** The shortest time between SIGTERM and SIGKILL, however short the grace period is. */
const SHORTEST_WAIT = 2_000

export interface TerminationOptions {
  readonly run: Run
  readonly clock: Clock
  readonly graceSeconds: number
  /** Runs before the container is asked to end, if the grace period allows it. */
  readonly preStop?: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Resolves when the containers have ended that must end before this one. */
  readonly turn?: Promise<void> | undefined
}

/**
 * The end of one run of a container: its `preStop` hook, then its turn among the Pod's containers, then SIGTERM, and
 * SIGKILL when the grace period is over. The hook and the turn take from the same period.
 */
export class Termination {
  readonly #options: TerminationOptions
  readonly #hook = new AbortController()
  #deadline: number
  #timer: Timer | undefined
  #asked = false
  #over = false

  constructor(options: TerminationOptions) {
    this.#options = options
    this.#deadline = options.clock.monotonic() + options.graceSeconds * 1_000
    void this.#begin()
    void options.run.exited.then(() => this.#end())
  }

  /** Shortens the current grace period; a longer one changes nothing. */
  shorten(graceSeconds: number): void {
    const deadline = this.#options.clock.monotonic() + graceSeconds * 1_000
    if (deadline >= this.#deadline || this.#over) return
    this.#deadline = deadline
    this.#await()
  }

  async #begin(): Promise<void> {
    const { preStop, turn, graceSeconds } = this.#options
    if (graceSeconds > 0 && (preStop || turn)) {
      this.#await()
      await preStop?.(this.#hook.signal)
      await turn
    }
    this.#ask()
  }

  /** Waits for the end of the period: for SIGTERM if that is still to come, else for SIGKILL. */
  #await(): void {
    const { clock, run } = this.#options
    this.#timer?.cancel()
    const left = Math.max(this.#deadline - clock.monotonic(), this.#asked ? SHORTEST_WAIT : 0)
    this.#timer = clock.schedule(left, () => {
      if (this.#asked) run.kill()
      else this.#ask()
    })
  }

  #ask(): void {
    if (this.#asked || this.#over) return
    this.#asked = true
    this.#hook.abort()
    this.#options.run.terminate()
    this.#await()
  }

  #end(): void {
    this.#over = true
    this.#hook.abort()
    this.#timer?.cancel()
  }
}
