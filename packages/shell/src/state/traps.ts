const SIGCHLD = 17

/** The traps of a shell, and the signals that have arrived since it last checked. */
export class Traps {
  readonly #actions = new Map<number, string>()
  readonly #pending: number[] = []
  #arrived = Promise.withResolvers<number>()

  get(signal: number): string | undefined {
    return this.#actions.get(signal)
  }

  /** `''` ignores the signal; `undefined` restores its usual effect. */
  set(signal: number, action: string | undefined): void {
    if (action === undefined) this.#actions.delete(signal)
    else this.#actions.set(signal, action)
  }

  entries(): [number, string][] {
    return [...this.#actions].sort(([a], [b]) => a - b)
  }

  /** Takes a signal; false where no trap is set for it. */
  take(signal: number): boolean {
    const action = this.#actions.get(signal)
    if (action === undefined) return false
    if (action !== '' && signal !== SIGCHLD) {
      if (!this.#pending.includes(signal)) this.#pending.push(signal)
      this.#arrived.resolve(signal)
      this.#arrived = Promise.withResolvers<number>()
    }
    return true
  }

  /** The next signal whose action should run. */
  next(): number | undefined {
    return this.#pending.shift()
  }

  get pending(): boolean {
    return this.#pending.length > 0
  }

  /** Resolves with the next signal that comes and has an action. */
  get arrived(): Promise<number> {
    return this.#arrived.promise
  }

  /** The traps of a new subshell: ignored signals stay ignored, the others have their usual effect. */
  forSubshell(): Traps {
    const traps = new Traps()
    for (const [signal, action] of this.#actions) if (action === '') traps.set(signal, action)
    return traps
  }
}
