import { type ResolvedRetryLimits, RetryBackOff } from '../queue/index.ts'
import { type Cause, isTerminal, messageOf } from '../reconcile/index.ts'
import type { ReconcileReport } from './environment.ts'
import { isLostRace } from '../guards/index.ts'
import type { Ending } from './reconcile-run.ts'

/** The consequence of a run. */
export interface Decision {
  readonly result: ReconcileReport['result']
  readonly error?: unknown
  /** After how many milliseconds the object is reconciled again, why, and whether that counts as a retry. */
  readonly next?: { readonly wait: number; readonly cause: Cause; readonly retry: boolean } | undefined
}

/** Decides after each run whether and when the object is reconciled again, by the failures that it counts for each object. */
export class RetryPolicy {
  readonly #retries: RetryBackOff

  constructor(limits: ResolvedRetryLimits) {
    this.#retries = new RetryBackOff(limits)
  }

  decide(key: string, ending: Ending): Decision {
    if (ending.type === 'abandoned') return { result: 'abandoned', error: ending.error }
    if (ending.type === 'threw') return this.#decideError(key, ending.error)
    const { outcome } = ending
    if (outcome.type === 'requeue') {
      const wait = this.#retries.requeued(key)
      return { result: 'requeue', next: { wait, cause: outcome, retry: false } }
    }
    this.#retries.forget(key)
    if (outcome.type === 'done') return { result: 'success' }
    return { result: 'requeueAfter', next: { wait: outcome.milliseconds, cause: outcome, retry: false } }
  }

  #decideError(key: string, error: unknown): Decision {
    if (isTerminal(error)) {
      this.#retries.forget(key)
      return { result: 'terminal', error }
    }
    const text = shorten(messageOf(error))
    const race = isLostRace(error) ? this.#retries.lostRace(key) : undefined
    if (race) {
      const cause: Cause = { type: 'conflict', attempt: race.attempt, error: text }
      return { result: 'conflict', error, next: { wait: race.wait, cause, retry: true } }
    }
    const { wait, attempt } = this.#retries.failed(key)
    const cause: Cause = { type: 'retry', attempt, error: text }
    return { result: 'error', error, next: { wait, cause, retry: true } }
  }
}

/** The message of an error may be long, and it stays in the queue with the request. */
function shorten(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`
}
