import { turnOfTheEventLoop, HomeostatError, milliseconds, type Clock, type ObjectKey } from '@homeostat/api'
import { RecordedRun } from '../activity/index.ts'
import { resolveRetryLimits, TokenBucket, type WorkItem, WorkQueue } from '../queue/index.ts'
import { type Cause, requestOf } from '../reconcile/index.ts'
import { type Logger, silentLogger } from '../telemetry/index.ts'
import { ControllerMetrics } from './controller-metrics.ts'
import type { Controller, ControllerOptions } from './controller.ts'
import type { ControllerEnvironment, ReconcileReport } from './environment.ts'
import { EventFlow } from './event-flow.ts'
import { MappingWork } from './mapping-work.ts'
import { RunContext, type RunGuards } from './run-context.ts'
import { RetryPolicy, type Decision } from './retry-policy.ts'
import { KindWaits, type ReconcileLoop, RequestPacing, SelfCausedRuns, servedCause } from '../guards/index.ts'
import { logReport } from './log-report.ts'
import { LongRuns } from './long-runs.ts'
import { ReconcileRun } from './reconcile-run.ts'
import { ReconcileWarnings } from './reconcile-warnings.ts'
import { reportLoop } from './report-loop.ts'
import { ReconcileSpans } from './reconcile-spans.ts'

/** After this many reconciles the event loop gets a turn. */
const RECONCILES_PER_TURN = 64

/**
 * A running controller on one cluster: its sources, its queue and its workers. The manager that mounts it ends it
 * with `drain`, and aborts reconciles that do not end with `abort`.
 */
export class MountedController {
  readonly #controller: Controller
  readonly #environment: ControllerEnvironment
  readonly #clock: Clock
  readonly #log: Logger
  readonly #queue: WorkQueue<Cause>
  readonly #retryPolicy: RetryPolicy
  readonly #guards: RunGuards
  readonly #starts: TokenBucket | undefined
  readonly #reconcileTimeout: number | undefined
  readonly #abortGracePeriod: number
  readonly #metrics: ControllerMetrics
  readonly #spans: ReconcileSpans | undefined
  readonly #kindWaits: KindWaits
  readonly #stopSources = new AbortController()
  readonly #runs = new Map<WorkItem<Cause>, ReconcileRun>()
  readonly #longRuns: LongRuns
  readonly #synced = Promise.withResolvers<void>()
  #sources: Promise<void> | undefined
  #work: Promise<void> = Promise.resolve()
  #draining = false
  #turns = 0

  constructor(controller: Controller, environment: ControllerEnvironment) {
    const { clock } = environment
    const { retries, maxReconcilesPerSecond: rate, maxConcurrentReconciles: workers = 1 } = controller.options
    const { reconcileTimeout, abortGracePeriod = '5s', minInterval: interval = 0 } = controller.options
    const minInterval = milliseconds(interval)
    const limits = resolveRetryLimits(retries)
    this.#controller = controller
    this.#environment = environment
    this.#clock = clock
    this.#log = environment.logger.child({ controller: controller.name })
    this.#queue = new WorkQueue({ clock, budget: new TokenBucket(limits), minInterval })
    this.#retryPolicy = new RetryPolicy(limits)
    this.#guards = {
      pacing: new RequestPacing(clock),
      selfCaused: new SelfCausedRuns(clock),
      chains: environment.chains,
      warnings: new ReconcileWarnings(controller, environment),
    }
    this.#starts = rate === undefined ? undefined : new TokenBucket({ rate, burst: 1 })
    this.#reconcileTimeout = reconcileTimeout === undefined ? undefined : milliseconds(reconcileTimeout)
    this.#abortGracePeriod = milliseconds(abortGracePeriod)
    this.#spans = environment.tracing && new ReconcileSpans(environment.tracing, controller.name, clock)
    this.#metrics = new ControllerMetrics(environment.metrics, controller.name, workers, this.#queue, clock)
    this.#kindWaits = this.#waitForKinds()
    this.#longRuns = new LongRuns(clock, this.#log, (moment) => this.#runningSince(moment))
  }

  get name(): string {
    return this.#controller.name
  }

  get options(): ControllerOptions {
    return this.#controller.options
  }

  /** The objects being reconciled, including those whose reconcile was given up. */
  get running(): readonly ObjectKey[] {
    return this.#queue.running.map((item) => requestOf(item.key))
  }

  /** Resolves when every existing object is in the queue and the workers have started. */
  get synced(): Promise<void> {
    return this.#synced.promise
  }

  /**
   * Starts the sources, if they are not running. Resolves when all of them have delivered the existing objects, or
   * the controller was drained; rejects when a source cannot run. Nothing is reconciled before `run`.
   */
  warmUp(): Promise<void> {
    this.#sources ??= this.#startSources().catch((error: unknown) => {
      if (!this.#draining) throw error
    })
    return this.#sources
  }

  /**
   * Starts the sources and, when all of them have delivered the existing objects, the workers. Resolves when the
   * controller was drained; rejects when it cannot run.
   */
  run(): Promise<void> {
    this.#work = this.#run().catch((error: unknown) => {
      if (!this.#draining) throw error
    })
    return this.#work
  }

  /** Starts no further reconcile. Resolves when the running ones have ended or were given up. */
  async drain(): Promise<void> {
    if (!this.#draining) {
      this.#draining = true
      this.#stopSources.abort(
        new HomeostatError('CONTROLLER_STOPPED', `the controller ${this.#controller.name} stops`),
      )
      void this.#queue.shutDown()
      for (const run of this.#runs.values()) run.release()
      this.#synced.resolve()
    }
    await Promise.all([this.#sources, this.#work]).finally(() => {
      this.#metrics.dispose()
      this.#longRuns.stop()
    })
  }

  /** Aborts every reconcile that runs, and gives up those that do not end at once. */
  abort(reason: HomeostatError): void {
    for (const run of this.#runs.values()) run.stop(reason)
  }

  async #run(): Promise<void> {
    await this.warmUp()
    if (this.#draining) return
    this.#log.info('the controller has started')
    this.#synced.resolve()
    const workers = this.#controller.options.maxConcurrentReconciles ?? 1
    await Promise.all(Array.from({ length: workers }, () => this.#worker()))
  }

  async #startSources(): Promise<void> {
    const { signal } = this.#stopSources
    const { name, options, watches, indexes } = this.#controller
    const { cache } = this.#environment
    for (const index of indexes) cache.index(index.kind, index.name, index.valuesOf)
    const work = new MappingWork(this.#clock)
    const client = this.#environment.client({
      fieldManager: name,
      clock: this.#clock,
      signal,
      logger: this.#log,
      waiting: work,
    })
    const debounce = milliseconds(options.debounce ?? 0)
    const flow = new EventFlow({
      controller: name,
      source: { cache, clock: this.#clock, signal },
      handler: { client, signal },
      clock: this.#clock,
      work,
      logger: this.#log,
      predicate: options.predicate,
      onCallbackFailure: this.#environment.onCallbackFailure,
      enqueue: (key, add) => {
        this.#spans?.event(add.cause, key)
        if (add.event) {
          this.#guards.selfCaused.event(key, add.event, add.cause)
          this.#guards.chains.event(`${name} ${key}`, add.event, add.cause)
        }
        const wait = Math.max(debounce, this.#guards.pacing.wait(key))
        if (this.#queue.addWithin(key, wait, add)) this.#metrics.added()
        this.#queueChanged()
      },
    })
    await Promise.all(
      watches.map(async (watch) => {
        const what = 'source' in watch ? watch.source.name : watch.kind.kind
        const timeout = milliseconds(options.cacheSyncTimeout ?? '2m')
        using _ = this.#clock.schedule(timeout, () => {
          this.#log.warn({ waitingFor: what }, 'the controller still waits for its first list')
        })
        await flow.start(watch)
      }),
    )
  }

  async #worker(): Promise<void> {
    for (let item = await this.#queue.get(); item; item = await this.#queue.get()) {
      if (this.#starts) await this.#mayStart(this.#starts)
      if (this.#draining) this.#queue.done(item)
      else if (!this.#postpone(item)) await this.#reconcile(item)
      if (++this.#turns % RECONCILES_PER_TURN === 0) await this.#yield()
    }
  }

  /** Without this, reconciles whose requests never leave the process could block the event loop. */
  async #yield(): Promise<void> {
    using _ = this.#clock.busy(`the workers of the controller ${this.name}`)
    await turnOfTheEventLoop()
  }

  /** Resolves when the limit on starts allows one more reconcile, or the controller stops. */
  async #mayStart(starts: TokenBucket): Promise<void> {
    const wait = starts.take(this.#clock.monotonic())
    if (wait > 0) await this.#clock.sleep(wait, { signal: this.#stopSources.signal }).catch(() => {})
  }

  /** Postpones a request that only events caused, if the request was slowed down after they arrived. */
  #postpone(item: WorkItem<Cause>): boolean {
    const wait = this.#guards.pacing.wait(item.key)
    if (wait === 0 || !item.causes.every(isEvent)) return false
    for (const cause of item.causes) {
      this.#queue.addWithin(item.key, wait, { cause, priority: item.priority })
    }
    this.#queue.done(item)
    return true
  }

  async #reconcile(item: WorkItem<Cause>): Promise<void> {
    const { name, reconcile } = this.#controller
    const run = new ReconcileRun({
      clock: this.#clock,
      what: `${item.key} by the controller ${name}`,
      timeout: this.#reconcileTimeout,
      abortGracePeriod: this.#abortGracePeriod,
    })
    const request = requestOf(item.key)
    const context = new RunContext(run, item, request, name, this.#environment, this.#log, this.#guards)
    this.#runs.set(item, run)
    this.#longRuns.start()
    this.#guards.pacing.started(item.key)
    this.#guards.selfCaused.started(item)
    this.#metrics.started(item.waited)
    const recorded = this.#record(item, request, context)
    const call = (): unknown => reconcile(request, context)
    const span = this.#spans?.begin(item, context.reconcileID)
    const ended = await run.start(span ? () => span.call(call) : call)
    const ending = ended.type === 'threw' ? { ...ended, error: context.explain(ended.error) } : ended
    const decision = this.#retryPolicy.decide(item.key, ending)
    if (decision.error === undefined) this.#kindWaits.ended(item.key)
    else this.#kindWaits.failed(item.key, decision.error)
    const duration = this.#clock.monotonic() - item.since
    this.#metrics.ended(decision, duration, run.timedOut)
    if (!context.hasWarned) this.#guards.warnings.ended(request, decision)
    this.#requeue(item, decision)
    const loop = this.#noteLoop(item, request, context)
    if (ending.type === 'abandoned') void this.#waitForAbandoned(item, context.log, ending.settled)
    else this.#finish(item)
    const { result, error, next } = decision
    recorded?.ended({
      result,
      duration,
      error,
      next: next?.wait,
      isLoop: loop !== undefined,
      traceID: span?.traceID,
    })
    this.#queueChanged()
    if (!this.#reports) return
    const { causes, reconcileID } = context
    const report = {
      controller: name,
      request,
      causes,
      reconcileID,
      result,
      duration,
      error,
      next: next?.wait,
      loop,
    }
    span?.end(report)
    logReport(context.log, report)
    this.#tell(report)
  }

  /** Records the run and its writes, if the environment has an activity. */
  #record(item: WorkItem<Cause>, request: ObjectKey, context: RunContext): RecordedRun | undefined {
    const { activity } = this.#environment
    if (!activity) return undefined
    const about = { controller: this.name, request, reconcileID: context.reconcileID }
    const recorded = new RecordedRun(activity, this.#clock, about, this.#controller.kind, item)
    context.recorded = recorded
    this.#queueChanged()
    return recorded
  }

  #runningSince(moment: number): readonly ObjectKey[] {
    return this.#queue.running.filter(({ since }) => since <= moment).map(({ key }) => requestOf(key))
  }

  #queueChanged(): void {
    this.#environment.activity?.queueChanged(this.#clock, this.name, this.#queue)
  }

  /** Slows a request down whose reconciles cause each other, and warns of it now and then. */
  #noteLoop(item: WorkItem<Cause>, request: ObjectKey, context: RunContext): ReconcileLoop | undefined {
    const { selfCaused, chains } = this.#guards
    const own = selfCaused.ended(item.key)
    const shared = chains.ended(context.chained)
    const loop = own ?? shared
    if (!loop) return undefined
    context.slowDown()
    const { isNews, ...rest } = loop
    if (!isNews) return rest
    const { name, kind } = this.#controller
    this.#metrics.loop()
    const about = { controller: name, kind, request, causes: item.causes, log: context.log }
    reportLoop(this.#environment, about, rest)
    return rest
  }

  /** A request that failed because its kind is not served is retried as soon as the server serves the kind. */
  #waitForKinds(): KindWaits {
    const { signal } = this.#stopSources
    const { name: fieldManager } = this.#controller
    const [clock, logger] = [this.#clock, this.#log]
    return new KindWaits({
      clock,
      logger,
      signal,
      kinds: () => this.#environment.client({ fieldManager, clock, logger, signal }).kinds,
      served: (key, kind) => {
        if (this.#queue.add(key, { cause: servedCause(kind) })) this.#metrics.added()
      },
    })
  }

  /** Whether the result of a reconcile is used: logged, traced or reported. */
  get #reports(): boolean {
    return (
      this.#spans !== undefined || this.#log !== silentLogger || this.#environment.onReconcile !== undefined
    )
  }

  #requeue(item: WorkItem<Cause>, { next }: Decision): void {
    if (!next) return
    const { wait, cause, retry } = next
    if (this.#queue.addAfter(item.key, wait, { cause, priority: item.priority, budgeted: retry })) {
      this.#metrics.added()
    }
    if (retry) this.#metrics.retried()
  }

  #finish(item: WorkItem<Cause>): void {
    this.#runs.delete(item)
    this.#queue.done(item)
    if (this.#runs.size === 0) this.#longRuns.stop()
  }

  /** The object stays locked while the reconcile that was given up may still act on it. */
  async #waitForAbandoned(item: WorkItem<Cause>, log: Logger, settled: Promise<void>): Promise<void> {
    this.#metrics.abandoned(1)
    await settled
    this.#metrics.abandoned(-1)
    log.warn('a reconcile that was given up has ended; its object is reconciled again')
    const error = new HomeostatError('RECONCILE_ABANDONED', 'the last reconcile was given up')
    this.#requeue(item, this.#retryPolicy.decide(item.key, { type: 'threw', error }))
    this.#finish(item)
  }

  #tell(report: ReconcileReport): void {
    try {
      this.#environment.onReconcile?.(report)
    } catch (error) {
      this.#log.error({ error }, 'onReconcile failed')
    }
  }
}

/** Whether an event caused it, rather than a retry or a requeue, which keep their own times. */
function isEvent({ type }: Cause): boolean {
  return type !== 'retry' && type !== 'conflict' && type !== 'requeue' && type !== 'requeueAfter'
}
