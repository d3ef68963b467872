import type { ResolvedRetryLimits } from './retry-limits.ts'

/** The wait after the first conflict, and after the second `requeue` in a row; it doubles from there. */
const QUICK = 5

interface Attempts {
  failures: number
  conflicts: number
  requeues: number
}

/**
 * Counts the failures of each key, and computes the wait before the next try. There is no jitter: the same failures
 * wait the same time. A key is remembered only until it succeeds or is forgotten.
 */
export class RetryBackOff {
  readonly #limits: Pick<ResolvedRetryLimits, 'base' | 'max' | 'conflicts'>
  readonly #attempts = new Map<string, Attempts>()

  constructor(limits: Pick<ResolvedRetryLimits, 'base' | 'max' | 'conflicts'>) {
    this.#limits = limits
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#attempts.size
  }

  /** The key failed: base·2ⁿ, at most max. `attempt` counts the retries since the last success from 1. */
  failed(key: string): { wait: number; attempt: number } {
    const attempts = this.#of(key)
    attempts.requeues = 0
    const wait = doubled(this.#limits.base, attempts.failures++, this.#limits.max)
    return { wait, attempt: attempts.failures }
  }

  /**
   * The key lost a race: 5 ms, 10, 20, 40, 80. `undefined` when it has reached the limit of conflicts without a
   * success: then it counts as failed.
   */
  lostRace(key: string): { wait: number; attempt: number } | undefined {
    const attempts = this.#of(key)
    if (attempts.conflicts >= this.#limits.conflicts) return undefined
    attempts.requeues = 0
    const wait = doubled(QUICK, attempts.conflicts++, this.#limits.max)
    return { wait, attempt: attempts.conflicts }
  }

  /** The key succeeded and wants to be called again: at once, then after 5 ms, 10, 20 …, at most max. */
  requeued(key: string): number {
    const attempts = this.#of(key)
    attempts.failures = 0
    attempts.conflicts = 0
    const wait = attempts.requeues === 0 ? 0 : doubled(QUICK, attempts.requeues - 1, this.#limits.max)
    attempts.requeues++
    return wait
  }

  /** The key succeeded, or is not to be retried: the next failure is the first again. */
  forget(key: string): void {
    this.#attempts.delete(key)
  }

  #of(key: string): Attempts {
    let attempts = this.#attempts.get(key)
    if (!attempts) {
      attempts = { failures: 0, conflicts: 0, requeues: 0 }
      this.#attempts.set(key, attempts)
    }
    return attempts
  }
}

/** `base` doubled `times` times, at most `max`; exact, since powers of two are. */
function doubled(base: number, times: number, max: number): number {
  return Math.min(base * 2 ** Math.min(times, 64), max)
}
