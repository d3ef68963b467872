import { HomeostatError, type AnyKind, type DriveOptions } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import type { ReconcileReport } from 'homeostat'
import { FailedCallbacks } from './failed-callbacks.ts'
import type { OperatorProcess } from './operator-process.ts'
import { ReconcileLoops } from './reconcile-loops.ts'
import { RefusedRequests } from './rights/refused-requests.ts'

/**
 * The reasons for which a test stops waiting: the operator is in an endless loop, was refused a right that it does not
 * declare, or threw.
 */
const LOOP = new HomeostatError('RECONCILE_LOOP', 'the operator is in an endless loop')
const REFUSED = new HomeostatError('RIGHT_NOT_DECLARED', 'the operator was refused a request')
const THREW = new HomeostatError('CALLBACK_FAILED', 'a function of the operator threw')

/** The waits of a test for its operator, and the mistakes of the operator that end them with an error. */
export class OperatorWaits {
  readonly refused = new RefusedRequests(() => this.#endAdvancing(REFUSED))
  readonly callbacks = new FailedCallbacks(() => this.#endAdvancing(THREW))
  readonly #environment: TestEnvironment
  readonly #kinds: readonly AnyKind[]
  readonly #process: () => OperatorProcess | undefined
  readonly #loops: ReconcileLoops
  readonly #waiting = new Set<AbortController>()
  /** The waits in which time passes: a refusal or an error ends them, instead of being repeated for as long as they last. */
  readonly #advancing = new Set<AbortController>()
  #loop: ReconcileReport | undefined
  #restless = false

  constructor(
    environment: TestEnvironment,
    kinds: readonly AnyKind[] = [],
    process: () => OperatorProcess | undefined,
  ) {
    this.#environment = environment
    this.#kinds = kinds
    this.#process = process
    this.#loops = new ReconcileLoops(environment.clock, (report) => this.#giveUp(report))
  }

  /** Whether a wait has failed because the operator does not settle, so that it cannot be stopped in order. */
  get restless(): boolean {
    return this.#restless
  }

  /** Waits until `drive` resolves. Rejects as `OperatorTest.settle` says. */
  until(drive: (options: DriveOptions) => Promise<void>): Promise<void> {
    return this.#wait(drive)
  }

  /**
   * Waits until `drive` resolves, and ends at the first mistake of the operator. Rejects as `OperatorTest.settle` says.
   */
  whileTimePasses(drive: (options: DriveOptions) => Promise<void>): Promise<void> {
    return this.#wait(drive, this.#advancing)
  }

  /** Takes the report of a reconcile. */
  reported(report: ReconcileReport): void {
    this.refused.add(report)
    this.#loops.add(report, this.#waiting.size > 0)
  }

  /** Throws where the server refused a request whose right the operator does not declare. */
  async throwRefusals(process = this.#process()): Promise<void> {
    const error = await this.refused.take(process?.manager.controllers ?? [], this.#kinds)
    if (error) throw error
  }

  /** Throws where a mapping, a predicate, an index function or a transform threw. */
  throwCallbackFailures(): void {
    const error = this.callbacks.take()
    if (error) throw error
  }

  #endAdvancing(reason: HomeostatError): void {
    for (const advancing of this.#advancing) advancing.abort(reason)
  }

  #giveUp(report: ReconcileReport): void {
    this.#loop = report
    for (const waiting of this.#waiting) waiting.abort(LOOP)
  }

  async #wait(drive: (options: DriveOptions) => Promise<void>, group?: Set<AbortController>): Promise<void> {
    const abort = new AbortController()
    this.#loops.reset()
    this.#waiting.add(abort)
    group?.add(abort)
    try {
      if (!this.#loop) await drive({ signal: abort.signal })
    } catch (error) {
      if (error !== LOOP && error !== REFUSED && error !== THREW) {
        this.#restless = true
        throw error
      }
    } finally {
      this.#waiting.delete(abort)
      group?.delete(abort)
    }
    const report = this.#loop
    this.#loop = undefined
    await this.throwRefusals()
    const process = this.#process()
    if (report) throw await this.#loops.error(report, process?.manager.controllers ?? [], this.#environment)
    this.throwCallbackFailures()
    process?.throwFailure()
  }
}
