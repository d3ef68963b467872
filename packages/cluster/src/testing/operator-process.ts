import { HomeostatError, milliseconds, SystemClock, turnOfTheEventLoop, type AnyKind } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  operatorManager,
  type CallbackFailure,
  type Logger,
  type Manager,
  type Operator,
  type OperatorManagerOptions,
  type ReconcileReport,
  type ServeWebhooks,
  type Transport,
} from 'homeostat'
import { killableTransport, type KillableTransport } from './killable-transport.ts'

export interface OperatorProcessOptions {
  /** The operator. No other process has the same value. */
  readonly operator: Operator
  /** Options of the manager that take precedence over those of the operator. */
  readonly manager?: OperatorManagerOptions | undefined
  /** Carries the process's requests, until the process is killed. */
  readonly transport: Transport
  /** Wraps the transport that ends with the process. */
  readonly wrap?: ((transport: Transport) => Transport) | undefined
  readonly environment: TestEnvironment
  /** Mounts its webhooks. Default: they are not served. */
  readonly serveWebhooks?: ServeWebhooks | undefined
  readonly logger: Logger
  readonly onReconcile?: ((report: ReconcileReport) => void) | undefined
  /** Called for functions that threw, unless the process had been killed before. */
  readonly onCallbackFailure?: ((failure: CallbackFailure) => void) | undefined
}

/** How much longer than its manager a process may take to end, in milliseconds: it writes its last events. */
const LAST_EVENTS = 10_000
/** How long a manager that waits without limit may take, in milliseconds. */
const LONGEST = 3_600_000
/** How many turns of the event loop a start may take that needs no time to pass. */
const START_TURNS = 100
/** How much real time an orderly end may take, in milliseconds. */
const LONGEST_END = 3_000
/** The reason of signals that end a process. One for all of them, since a check ends hundreds of processes. */
const ENDED = new DOMException('The operator ends', 'AbortError')

/** An operator as one process of it: one manager, from its start until it is stopped or killed. */
export class OperatorProcess {
  readonly #environment: TestEnvironment
  readonly #transport: KillableTransport
  readonly #manager: Manager
  readonly #stopping = new AbortController()
  /** How long it may take to end, in simulated milliseconds. */
  readonly #stopTimeout: number
  #synced = false
  #state: 'running' | 'ended' | 'killed' = 'running'
  #failure: { readonly error: unknown } | undefined

  constructor(options: OperatorProcessOptions) {
    const { environment, logger, onReconcile, operator, serveWebhooks = () => {}, wrap } = options
    const { clock } = environment
    const { gracefulShutdownTimeout: timeout = '30s' } = { ...operator.manager, ...options.manager }
    this.#environment = environment
    this.#stopTimeout = LAST_EVENTS + (timeout === 'unlimited' ? LONGEST : milliseconds(timeout))
    this.#transport = killableTransport(options.transport)
    const transport = wrap?.(this.#transport.transport) ?? this.#transport.transport
    this.#manager = operatorManager(operator, {
      // A test, and each run of a check, would open its port.
      page: undefined,
      ...options.manager,
      transport,
      clock,
      logger,
      onReconcile,
      serveWebhooks,
      onCallbackFailure: (failure) => {
        if (this.#state === 'running') options.onCallbackFailure?.(failure)
      },
    })
    this.#manager.synced.then(
      () => (this.#synced = true),
      () => {},
    )
  }

  /** The manager of the process. Controllers are added before it runs. */
  get manager(): Manager {
    return this.#manager
  }

  /** Lets the manager work, unless the process was killed before that. */
  run(): void {
    if (this.#state === 'running') void this.#run()
  }

  /**
   * Resolves when the operator has listed all objects and works, or waits for something that takes time; rejects when it
   * cannot start.
   */
  async started(): Promise<void> {
    for (let turn = 0; turn < START_TURNS && !this.#synced && this.#state === 'running';) {
      await turnOfTheEventLoop()
      // Until then it loads code, which takes real time, not turns of the event loop.
      if (this.#isConnected) turn++
    }
    this.throwFailure()
  }

  /** Throws where the operator waits for lists that the server refuses, with the reasons. */
  assertSynced(): void {
    if (this.#synced || this.#state !== 'running' || !this.#isConnected) return
    const problems = this.#watched().flatMap((kind) => {
      const { problem } = this.#manager.cluster.cache.informer(kind)
      return problem ? [`  ${kind.kind}: ${problem.message}`] : []
    })
    if (problems.length === 0) return
    throw new HomeostatError(
      'OPERATOR_NOT_SYNCED',
      `the operator still waits for its first lists, and does not reconcile before it has them:\n${problems.join('\n')}\nName the operator's own kinds in the option kinds.`,
    )
  }

  /** Throws the error that ended the process, once. Errors of a killed process are ignored. */
  throwFailure(): void {
    const failure = this.#state === 'killed' ? undefined : this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
  }

  /**
   * Stops the operator in an orderly way, as SIGTERM does. The call always ends. A reconcile that sleeps gets as much
   * simulated time as the manager's `gracefulShutdownTimeout` allows; a reconcile that has not ended by then is given
   * up, as in production. An operator that keeps writing, or takes seconds of real time, is killed.
   */
  async stop(): Promise<void> {
    this.#stopping.abort(ENDED)
    if (this.#state === 'running') await this.#passTimeUntilEnd()
    if (this.#state === 'running') this.kill()
    await this.#transport.transport.close()
    this.throwFailure()
  }

  /** Ends it at once: none of its requests reaches the server any more. */
  kill(): void {
    if (this.#state === 'running') this.#state = 'killed'
    this.#transport.kill()
    this.#stopping.abort(ENDED)
  }

  get #isConnected(): boolean {
    try {
      return this.#manager.cluster.cache !== undefined
    } catch {
      return false
    }
  }

  #watched(): AnyKind[] {
    const watches = this.#manager.controllers.flatMap((controller) => controller.watches)
    return [...new Set(watches.flatMap((watch) => ('kind' in watch ? watch.kind : [])))]
  }

  async #run(): Promise<void> {
    try {
      await this.#manager.start({ signal: this.#stopping.signal })
    } catch (error) {
      // `settle` and `advance` have reported work that does not end, or the work sleeps by design.
      if (!isStopTimeout(error)) this.#failure = { error }
    }
    if (this.#state === 'running') this.#state = 'ended'
  }

  async #passTimeUntilEnd(): Promise<void> {
    const environment = this.#environment
    const { clock } = environment
    const latest = clock.monotonic() + this.#stopTimeout
    const abort = new AbortController()
    const { signal } = abort
    using _ = new SystemClock().schedule(LONGEST_END, () => abort.abort())
    try {
      await environment.settle({ signal })
      while (this.#state === 'running') {
        const due = clock.nextDue()
        if (due === undefined || clock.monotonic() + due > latest) return
        await environment.advance(due, { signal })
      }
    } catch {
      // Time cannot advance, for a reason that `settle` and `advance` report. The process is killed.
    }
  }
}

function isStopTimeout(error: unknown): boolean {
  return error instanceof HomeostatError && error.code === 'MANAGER_STOP_TIMEOUT'
}
