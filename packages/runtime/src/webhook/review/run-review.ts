import { HomeostatError, type Clock, type Pausable, type Work } from '@homeostat/api'
import type { Client } from '../../client/index.ts'
import type { LogFields, Logger, Metrics } from '../../telemetry/index.ts'
import type { WebhookContext } from './context.ts'
import type { ReviewCall } from './review-call.ts'
import { clockWithSleep } from '../../reconcile/index.ts'

/** How a handler ended. */
export type ReviewEnding<T> =
  | { readonly type: 'returned'; readonly value: T }
  | { readonly type: 'threw'; readonly error: unknown }

/** How long a review waits for the API server to hang up after the deadline, in milliseconds. */
const HANG_UP_WITHIN = 1000

/**
 * The handler did not end before the deadline. The answer is then an HTTP error and not a review: an API server that
 * reads a review just before its own deadline would take it as a refusal, but its failure policy has to decide.
 */
export class LateReview extends HomeostatError {
  constructor(message: string) {
    super('WEBHOOK_TIMEOUT', message)
  }
}

/**
 * Calls a handler under the deadline of the review. Resolves with how it ended. Rejects when the caller has hung up, and with `LateReview`
 * where the deadline came first and the caller has not hung up a second later. `fields` go into each line of its log.
 */
export async function runReview<T>(
  call: ReviewCall,
  fields: LogFields,
  handler: (context: WebhookContext) => T | Promise<T>,
): Promise<ReviewEnding<T>> {
  const { clock } = call.environment
  const run = new ReviewRun(call, fields)
  const stopped = Promise.withResolvers<never>()
  const hangUp = (): void => {
    run.abort(call.signal?.reason)
    stopped.reject(call.signal?.reason)
  }
  call.signal?.throwIfAborted()
  call.signal?.addEventListener('abort', hangUp, { once: true })
  let late: LateReview | undefined
  let timer =
    call.timeout === undefined
      ? undefined
      : clock.schedule(call.timeout, () => {
          const error = new LateReview(
            `the webhook ${call.path} did not answer within ${call.timeout} ms: pass the context's signal to everything that it waits for, or give it a longer timeoutSeconds`,
          )
          late = error
          timer = clock.schedule(HANG_UP_WITHIN, () => stopped.reject(error))
          run.log.error({ error }, 'the webhook did not answer in time')
          run.abort(error)
        })
  if (call.timeout === undefined) run.hold()
  try {
    const ending = await Promise.race([ended(() => handler(run)), stopped.promise])
    // A result of the handler after the deadline has no effect.
    return late ? await stopped.promise : ending
  } finally {
    timer?.cancel()
    call.signal?.removeEventListener('abort', hangUp)
    run.end()
  }
}

async function ended<T>(handler: () => T | Promise<T>): Promise<ReviewEnding<T>> {
  try {
    return { type: 'returned', value: await handler() }
  } catch (error) {
    return { type: 'threw', error }
  }
}

/** The context of one call. Values that the handler does not use are not made. */
class ReviewRun implements WebhookContext, Pausable {
  readonly deadline: number | undefined
  readonly #call: ReviewCall
  readonly #fields: LogFields
  #aborted: { readonly reason: unknown } | undefined
  #abort: AbortController | undefined
  #log: Logger | undefined
  #client: Client | undefined
  #clock: Clock | undefined
  #work: Work | undefined
  #sleeping = 0
  #over = false

  constructor(call: ReviewCall, fields: LogFields) {
    this.#call = call
    this.#fields = fields
    this.deadline = call.timeout === undefined ? undefined : call.environment.clock.now() + call.timeout
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController()
      if (this.#aborted) this.#abort.abort(this.#aborted.reason)
    }
    return this.#abort.signal
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason }
    this.#abort?.abort(reason)
  }

  get log(): Logger {
    return (this.#log ??= this.#call.environment.logger.child({ webhook: this.#call.path, ...this.#fields }))
  }

  get metrics(): Metrics {
    return this.#call.environment.metrics
  }

  get clock(): Clock {
    const { clock } = this.#call.environment
    return (this.#clock ??= clockWithSleep(clock, (delay, options) => this.#sleep(clock, delay, options)))
  }

  get client(): Client {
    const { environment, path } = this.#call
    if (!environment.client) {
      throw new HomeostatError(
        'WEBHOOK_WITHOUT_CLIENT',
        `the webhook ${path} has no client: give webhookHandler the option client`,
      )
    }
    return (this.#client ??= environment.client({
      fieldManager: path.slice(1),
      clock: this.clock,
      signal: this.signal,
      logger: this.log,
      waiting: this,
    }))
  }

  /**
   * Holds simulated time up until the handler ends or sleeps. Under a deadline only what waits for the answer in this process
   * holds it up.
   */
  hold(): void {
    if (this.#over || this.#sleeping > 0 || this.#call.timeout !== undefined) return
    this.#work = this.#call.environment.clock.busy(`the webhook ${this.#call.path}`)
  }

  end(): void {
    this.#over = true
    this.#work?.end()
  }

  pause(): Disposable {
    this.#work?.end()
    this.#sleeping++
    const pauseOfCaller = this.#call.waiting?.pause()
    let isOver = false
    const resume = (): void => {
      if (isOver) return
      isOver = true
      this.#sleeping--
      pauseOfCaller?.[Symbol.dispose]()
      this.hold()
    }
    return { [Symbol.dispose]: resume }
  }

  async #sleep(clock: Clock, delay: number, options?: { signal?: AbortSignal | undefined }): Promise<void> {
    using _ = this.pause()
    await clock.sleep(delay, options)
  }
}
