import { fork, type ChildProcess } from 'node:child_process'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Clock, HomeostatError } from '@homeostat/api'
import type { ApiState } from '@homeostat/dashboard'
import type { ActivityEvent } from 'homeostat'
import type { ClusterChoice, OperatorDescription, Order, Report } from './messages.ts'

/** How long an operator may take to stop before it is killed. A correct operator can be killed at any time. */
const GRACE = 1_000

/** Callbacks for what the process reports. */
export interface ProcessListener {
  reconciled(lines: readonly string[], failed: boolean): void
  /** Called with the events of its manager, in order. */
  active(events: readonly ActivityEvent[]): void
  held(what: string): void
  /** The operator was paused or resumed. */
  gate(isClosed: boolean): void
  /** A line that the operator printed. */
  printed(line: string): void
  /** It ended by itself, with this error message if it reported one. */
  ended(message: string | undefined): void
}

/** The process of an operator: prepared, then loaded, then started, then stopped. */
export class OperatorProcess {
  readonly #child: ChildProcess
  readonly #clock: Clock
  readonly #exited: Promise<void>
  readonly #reports: ((report: Report | undefined) => void)[] = []
  #listener: ProcessListener | undefined
  #failure: string | undefined
  #isStopping = false
  readonly #stopped = Promise.withResolvers<void>()

  private constructor(cwd: string, env: Readonly<Record<string, string | undefined>>, clock: Clock) {
    const extension = extname(import.meta.filename)
    const file = join(import.meta.dirname, `main${extension}`)
    this.#clock = clock
    this.#child = fork(file, {
      cwd,
      env: { ...env },
      execArgv: extension === '.ts' ? ['--conditions=source'] : [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', () => resolve())
      this.#child.once('close', () => resolve())
    })
    void this.#exited.then(() => this.#end())
    this.#child.on('message', (report: Report) => this.#take(report))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.#listener?.printed(line))
    }
  }

  /** Starts a process that connects to the cluster and waits for orders, so that a later load does not have to wait for either. */
  static prepare(
    cwd: string,
    env: Readonly<Record<string, string | undefined>>,
    clock: Clock,
    { kubeconfig, context }: ClusterChoice,
  ): OperatorProcess {
    const prepared = new OperatorProcess(cwd, env, clock)
    prepared.#send({ type: 'connect', kubeconfig, context })
    return prepared
  }

  /** Loads the operator. If that fails, the process ends and this throws a `HomeostatError` with the reason. */
  async load(cwd: string, file: string | undefined, listener: ProcessListener): Promise<OperatorDescription> {
    this.#listener = listener
    this.#send({ type: 'load', cwd, file })
    const report = await this.#next()
    if (report?.type === 'loaded') return report.operator
    throw new HomeostatError('OPERATOR_NOT_LOADED', this.#failure ?? 'the operator ended while it was loaded')
  }

  /** Starts the loaded operator. Resolves when its caches are filled, or when it has ended. */
  async start(
    options: { readonly paused: boolean; readonly api: ApiState } & ClusterChoice,
  ): Promise<boolean> {
    this.#send({ type: 'start', ...options })
    return (await this.#next())?.type === 'started'
  }

  order(type: 'pause' | 'resume' | 'step'): void {
    this.#send({ type })
  }

  /** Changes how the API answers it from now on. */
  disturbApi(state: ApiState): void {
    this.#send({ type: 'api', state })
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    this.#isStopping = true
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  /**
   * Stops it gracefully, and kills it if that takes too long. Resolves when the operator writes nothing more: its process may take a moment longer
   * to exit.
   */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#send({ type: 'stop' })
    const timer = this.#clock.schedule(GRACE, () => this.#child.kill('SIGKILL'))
    void this.#exited.then(() => timer.cancel())
    await Promise.race([this.#stopped.promise, this.#exited])
  }

  /** Resolves when the process has exited. */
  get exited(): Promise<void> {
    return this.#exited
  }

  #send(order: Order): void {
    if (this.#child.connected) this.#child.send(order, () => undefined)
  }

  /** The next report that answers an order; undefined if the process has ended. */
  #next(): Promise<Report | undefined> {
    if (!this.#child.connected) return Promise.resolve(undefined)
    return new Promise((resolve) => this.#reports.push(resolve))
  }

  #take(report: Report): void {
    if (report.type === 'reconciled') this.#listener?.reconciled(report.lines, report.failed)
    else if (report.type === 'activity') this.#listener?.active(report.events)
    else if (report.type === 'held') this.#listener?.held(report.what)
    else if (report.type === 'gate') this.#listener?.gate(report.isClosed)
    else if (report.type === 'stopped') this.#stopped.resolve()
    else this.#answer(report)
  }

  #answer(report: Report): void {
    if (report.type === 'failed') this.#failure = report.message
    for (const hear of this.#reports.splice(0)) hear(report)
  }

  #end(): void {
    for (const hear of this.#reports.splice(0)) hear(undefined)
    if (!this.#isStopping) this.#listener?.ended(this.#failure)
  }
}
