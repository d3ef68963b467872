import { HomeostatError, type Clock, type Pausable, type Timer, type Work } from '@homeostat/api'
import { clockWithSleep, messageOf, type Outcome, readResult } from '../reconcile/index.ts'

/** How a run ended, or that it was given up. */
export type Ending =
  | { readonly type: 'returned'; readonly outcome: Outcome }
  | { readonly type: 'threw'; readonly error: unknown }
  | {
      readonly type: 'abandoned'
      readonly error: HomeostatError
      /** Resolves if it settles after all. */
      readonly settled: Promise<void>
    }

export interface ReconcileRunOptions {
  readonly clock: Clock
  /** For messages: `default/x by the controller at`. */
  readonly what: string
  /** In milliseconds; without it the run may take any time. */
  readonly timeout?: number | undefined
  readonly abortGracePeriod: number
}

/**
 * One call of a reconcile function, from its start until it settles or is given up. Past its timeout its signal
 * aborts; if it has not settled a grace period later, it is given up: its worker continues with other requests, and
 * its further writes are refused.
 */
export class ReconcileRun implements Pausable {
  readonly #options: ReconcileRunOptions
  readonly #abort = new AbortController()
  readonly #ended = Promise.withResolvers<Ending>()
  #settled: Promise<void> = Promise.resolve()
  #timer: Timer | undefined
  #work: Work | undefined
  #sleeping = 0
  #timedOut: HomeostatError | undefined
  #abandoned: HomeostatError | undefined
  #over = false
  #clock: Clock | undefined

  constructor(options: ReconcileRunOptions) {
    this.#options = options
  }

  /** The clock for the reconcile's own use: simulated time moves on while the reconcile sleeps by it. */
  get clock(): Clock {
    return (this.#clock ??= clockWithSleep(this.#options.clock, (delay, options) =>
      this.#sleep(delay, options),
    ))
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get timedOut(): boolean {
    return this.#timedOut !== undefined
  }

  /** Throws where the run was given up: its write could undo a later reconcile's. */
  assertMayWrite(): void {
    if (this.#abandoned) {
      throw new HomeostatError(
        'RECONCILE_ABANDONED',
        `this write is refused: the reconcile of ${this.#options.what} was given up because it did not end when its signal aborted`,
        { cause: this.#abandoned },
      )
    }
  }

  /** Calls the function. Never rejects. */
  start(call: () => unknown): Promise<Ending> {
    const { clock, timeout } = this.#options
    if (timeout === undefined) this.#hold()
    else this.#timer = clock.schedule(timeout, () => this.#timeOut(timeout))
    this.#settled = this.#call(call)
    return this.#ended.promise
  }

  /** Aborts the run now, and gives it up once everything that can happen without time passing has happened. */
  stop(reason: HomeostatError): void {
    if (this.#over) return
    this.#timer?.cancel()
    this.#work?.end()
    this.#abort.abort(reason)
    this.#timer = this.#options.clock.schedule(0, () => this.#abandon(reason))
  }

  /** Lets simulated time move on although the run has not ended: something else waits for it with a timer. */
  release(): void {
    this.#work?.end()
    this.#work = undefined
    this.#sleeping++
  }

  /** Lets simulated time move on while the run waits for it to pass. */
  pause(): Disposable {
    this.release()
    let isOver = false
    const resume = (): void => {
      if (isOver) return
      isOver = true
      this.#sleeping--
      this.#hold()
    }
    return { [Symbol.dispose]: resume }
  }

  async #call(call: () => unknown): Promise<void> {
    try {
      const outcome = readResult(await call())
      this.#end({ type: 'returned', outcome })
    } catch (thrown) {
      const error = readable(thrown)
      this.#end({ type: 'threw', error: this.#timedOut ? this.#tooLate(this.#timedOut, error) : error })
    }
  }

  #tooLate(timedOut: HomeostatError, cause: unknown): HomeostatError {
    const message = `${timedOut.message}; it ended with: ${messageOf(cause)}`
    return new HomeostatError('RECONCILE_TIMEOUT', message, { cause })
  }

  #end(ending: Ending): void {
    this.#over = true
    this.#timer?.cancel()
    this.#work?.end()
    this.#ended.resolve(ending)
  }

  #timeOut(timeout: number): void {
    this.#timedOut = new HomeostatError(
      'RECONCILE_TIMEOUT',
      `the reconcile of ${this.#options.what} took longer than ${timeout} ms`,
    )
    this.#abort.abort(this.#timedOut)
    const { clock, abortGracePeriod } = this.#options
    const error = new HomeostatError(
      'RECONCILE_ABANDONED',
      `the reconcile of ${this.#options.what} took longer than ${timeout} ms and did not end within ${abortGracePeriod} ms after its signal aborted: pass the context's signal to everything that it waits for. The object is not reconciled again until it ends`,
    )
    this.#timer = clock.schedule(abortGracePeriod, () => this.#abandon(error))
  }

  #abandon(error: HomeostatError): void {
    this.#abandoned = error
    this.#ended.resolve({ type: 'abandoned', error, settled: this.#settled })
  }

  #hold(): void {
    if (this.#sleeping > 0 || this.#over || this.#options.timeout !== undefined) return
    this.#work = this.#options.clock.busy(`the reconcile of ${this.#options.what}`)
  }

  async #sleep(delay: number, options?: { signal?: AbortSignal | undefined }): Promise<void> {
    using _ = this.pause()
    await this.#options.clock.sleep(delay, options)
  }
}

/**
 * The thrown value. If its properties cannot be read, as those of a proxy that throws, another error takes
 * its place.
 */
function readable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch (cause) {
    return new HomeostatError(
      'RECONCILE_THREW_UNREADABLE',
      'the reconcile threw a value whose properties cannot be read: throw an Error',
      { cause },
    )
  }
}
