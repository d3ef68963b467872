import { HomeostatError, milliseconds, SystemClock, type Clock, type Duration } from '@homeostat/api'
import { InformerCache, type CacheOptions } from '../cache/informer-cache.ts'
import { createClient } from '../client/create-client.ts'
import {
  type Controller,
  type ControllerEnvironment,
  type ControllerOptions,
  MountedController,
  type ReconcileReport,
} from '../controller/index.ts'
import { type UpdateLoop, UpdateLoops } from '../ownership/index.ts'
import { reconcileId } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import { MetricsRegistry } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { Target } from '../transport/connect.ts'
import type { Transport } from '../transport/transport.ts'
import { ApiEventRecorder } from './api-event-recorder.ts'
import { CleanUp } from './clean-up.ts'
import { countedTransport } from './counted-transport.ts'
import { Crew } from './crew.ts'
import { type HealthCheck, HealthChecks } from './health-checks.ts'
import { electionTimes, LeaderElection, type LeaderElectionOptions } from './leader-election.ts'
import { leadingTransport } from './leading-transport.ts'
import type { Page, PageOptions } from './page.ts'
import { requestThrottle, type RequestLimits } from './request-throttle.ts'
import type { PolicyRule } from './rule-set.ts'
import { controllerRules, electionRules } from './rules.ts'
import { tracedTransport } from './traced-transport.ts'

export interface ManagerOptions {
  /** Which cluster, as `loadConfig` gives it. Default: what `loadConfig()` finds, as kubectl would. */
  config?: Target | undefined
  /** How to reach the cluster, instead of `config`. It is left open in the end. */
  transport?: Transport | undefined
  /** Default: the machine's. */
  clock?: Clock | undefined
  /** Default: lines on standard error, as JSON where that is no terminal. */
  logger?: Logger | undefined
  /** A page for Prometheus at `/metrics`. Default: none. */
  metrics?: PageOptions | undefined
  /** Pages for probes at `/healthz` and `/readyz`; they may share a port with `metrics`. Default: none. */
  health?: PageOptions | undefined
  /** Lets one of several processes work while the others stand by. Default: every process works. */
  leaderElection?: LeaderElectionOptions | undefined
  /** How long reconciles under way may take to end when the manager stops. Default: `'30s'`. */
  gracefulShutdownTimeout?: Duration | 'unlimited' | undefined
  /** Holds the controllers' requests back where they are too many. Default: no limit. */
  requests?: RequestLimits | undefined
  /** What the cache keeps: of which kinds, namespaces and selections, and how. Default: all of what is watched. */
  cache?: CacheOptions | undefined
  /** How often every object is reconciled although nothing changed, give or take a tenth. Default: `'10h'`. */
  resync?: Duration | undefined
  /**
   * Where spans go: of each event, the time in the queue, each reconcile and its requests. The module
   * `@opentelemetry/api` fits. Default: nowhere.
   */
  tracing?: Tracing | undefined
  /** Told of every reconcile when it has ended: what came of it, and why it ran. It must not throw. */
  onReconcile?: ((report: ReconcileReport) => void) | undefined
}

/**
 * Runs controllers on one cluster: one connection, one cache, one page of metrics for all of them.
 *
 * `start` resolves after an orderly stop: no further reconcile is started, those under way end, and
 * nothing is left running. A manager can be started once.
 */
export class Manager {
  readonly #options: ManagerOptions
  readonly #clock: Clock
  readonly #controllers: Controller[] = []
  readonly #synced = Promise.withResolvers<void>()
  readonly #elected = Promise.withResolvers<void>()
  readonly #healthz = new HealthChecks('healthz')
  readonly #readyz = new HealthChecks('readyz')
  #started = false
  #crew: Crew | undefined
  #metricsUrl: string | undefined
  #healthUrl: string | undefined
  /** The numbers of all controllers, and a place for one's own. */
  readonly metrics = new MetricsRegistry()

  constructor(options: ManagerOptions = {}) {
    this.#options = options
    this.#clock = options.clock ?? new SystemClock()
    const { gracefulShutdownTimeout: timeout, resync } = options
    if (timeout !== undefined && timeout !== 'unlimited') milliseconds(timeout)
    if (resync !== undefined) milliseconds(resync)
    if (options.requests) requestThrottle(options.requests)
    if (options.leaderElection) electionTimes(options.leaderElection)
    this.#healthz.add('ping', () => {})
    this.#readyz.add('caches', () => this.#checkCaches())
    // Whoever does not wait for them is told of a failed start by `start` itself.
    this.#synced.promise.catch(() => {})
    this.#elected.promise.catch(() => {})
  }

  /** Adds controllers. Their names must differ: they are field managers and stand in metrics. */
  add(...controllers: readonly Controller[]): this {
    for (const controller of controllers) {
      if (this.#started) throw startedError(`the controller ${controller.name} cannot be added`)
      if (this.#controllers.some((other) => other.name === controller.name)) {
        throw new HomeostatError(
          'CONTROLLER_NAME_TAKEN',
          `two controllers are named ${controller.name}: give one of them another name, since it tells apart who wrote what`,
        )
      }
      this.#controllers.push(controller)
    }
    return this
  }

  /**
   * The rules of RBAC that the manager needs: what its controllers watch, own, declare to read and to write,
   * events, and the Lease where a leader is elected. `clusterRole` and `role` make objects of them.
   */
  rules(part: 'all' | 'controllers' | 'leaderElection' = 'all'): PolicyRule[] {
    const { leaderElection } = this.#options
    return [
      ...(part === 'leaderElection' ? [] : controllerRules(this.#controllers)),
      ...(part === 'controllers' || !leaderElection ? [] : electionRules(leaderElection)),
    ]
  }

  /** Resolves when every controller has seen all existing objects and begun its work, or the manager stops. */
  get synced(): Promise<void> {
    return this.#synced.promise
  }

  /** Resolves when this process leads, or no leader is elected, or the manager stops. */
  get elected(): Promise<void> {
    return this.#elected.promise
  }

  /** Where the page of metrics is, once it is open. */
  get metricsUrl(): string | undefined {
    return this.#metricsUrl
  }

  /** Where `/healthz` and `/readyz` are, once they are open. */
  get healthUrl(): string | undefined {
    return this.#healthUrl
  }

  /** Adds a check to `/healthz`: where it fails, a kubelet starts the container anew. */
  addHealthCheck(name: string, check: HealthCheck): this {
    this.#healthz.add(name, check)
    return this
  }

  /** Adds a check to `/readyz`: where it fails, the Pod gets no traffic and does not count as available. */
  addReadyCheck(name: string, check: HealthCheck): this {
    this.#readyz.add(name, check)
    return this
  }

  /**
   * Runs until the signal aborts; without a signal, until the process gets SIGINT or SIGTERM. Rejects when
   * it cannot start, when reconciles had to be given up in the end, and with code `LEADER_ELECTION_LOST`
   * when this process led and does no longer.
   */
  async start(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#started) throw startedError('it cannot be started again')
    this.#started = true
    try {
      await using cleanUp = new CleanUp()
      const stop = options.signal ?? cleanUp.use((await adapters.signals()).stopOnProcessSignals()).signal
      await this.#run(cleanUp, stop)
      this.#elected.resolve()
      this.#synced.resolve()
    } catch (error) {
      this.#elected.reject(error)
      this.#synced.reject(error)
      throw error
    }
  }

  async #run(cleanUp: CleanUp, stop: AbortSignal): Promise<void> {
    const clock = this.#clock
    const logger = this.#options.logger ?? (await adapters.logger()).processLogger(clock)
    await this.#openPages(cleanUp, logger)
    const { transport, namespace } = await this.#connect(cleanUp)
    const election = await this.#election(transport, namespace, logger)
    if (election) cleanUp.add(() => election.stop())
    const environments = this.#environments(cleanUp, transport, election, logger)
    const crew = new Crew(
      this.#controllers.map((each) => new MountedController(each, environments(each))),
      clock,
      logger,
    )
    this.#crew = crew
    logger.info(
      { server: transport.server, controllers: this.#controllers.map(({ name }) => name) },
      'the manager starts',
    )
    let failure: { error: unknown } | undefined
    try {
      await this.#work(crew, election, stop)
    } catch (error) {
      failure = { error }
      this.#elected.reject(error)
      this.#synced.reject(error)
    }
    logger.info({}, 'the manager stops')
    await this.#end(crew, election, failure)
    logger.info({}, 'the manager has stopped')
  }

  /** Starts the controllers. Resolves when it is to stop; rejects when it cannot go on. */
  async #work(crew: Crew, election: LeaderElection | undefined, stop: AbortSignal): Promise<void> {
    using stopped = whenAborted(stop)
    if (stop.aborted) return
    crew.start(({ options }) => options.needLeaderElection === false || !election)
    if (election) {
      crew.start(({ options }) => needsLeader(options) && options.enableWarmUp === true, { warmUp: true })
      const acquired = election.acquire(stop)
      acquired.catch(() => {})
      await Promise.race([acquired, stopped.promise, crew.failed])
      if (stop.aborted) return
      crew.start(({ options }) => needsLeader(options))
    }
    this.#elected.resolve()
    void crew.synced().then(() => this.#synced.resolve())
    await Promise.race([stopped.promise, crew.failed, ...(election ? [election.lost] : [])])
  }

  /** Stops the controllers and fails with the first failure. A process that does not lead any more waits for nothing. */
  async #end(
    crew: Crew,
    election: LeaderElection | undefined,
    failure: { error: unknown } | undefined,
  ): Promise<void> {
    const { gracefulShutdownTimeout: timeout = '30s' } = this.#options
    try {
      await crew.stop(election?.isLost ? 0 : timeout, election?.lost)
    } catch (error) {
      if (!failure && !election?.isLost) throw error
    }
    if (election?.isLost) await election.lost
    if (failure) throw failure.error
  }

  /** What each controller is mounted on: one that needs the leader writes only while this process leads. */
  #environments(
    cleanUp: CleanUp,
    transport: Transport,
    election: LeaderElection | undefined,
    logger: Logger,
  ): (controller: Controller) => ControllerEnvironment {
    const clock = this.#clock
    const { onReconcile, requests, resync, tracing } = this.#options
    const throttle = requests && requestThrottle(requests)
    const traced = tracing ? tracedTransport(transport, tracing, clock) : transport
    const leading = election ? leadingTransport(traced, election) : traced
    const free = new Set(
      this.#controllers.filter(({ options }) => !needsLeader(options)).map(({ name }) => name),
    )
    const transportOf = (controller: string): Transport => (free.has(controller) ? traced : leading)
    const cache = cleanUp.use(
      new InformerCache({
        ...this.#options.cache,
        transport,
        clock,
        logger,
        metrics: this.metrics,
        resyncMilliseconds: resync === undefined ? undefined : milliseconds(resync),
      }),
    )
    const events = new ApiEventRecorder({
      clock,
      logger,
      instance: `homeostat-${reconcileId(clock)}`,
      client: (name) => createClient({ transport: transportOf(name), clock, logger, fieldManager: name }),
    })
    cleanUp.add(() => this.#flushEvents(events))
    return ({ name }) => {
      const loops = new UpdateLoops(clock, (loop) => this.#reportLoop(name, loop, logger))
      return {
        cache,
        clock,
        logger,
        metrics: this.metrics,
        client: (options) =>
          loops.watch(createClient({ transport: transportOf(name), cache, throttle, ...options })),
        events: (controller) => events.for(controller),
        tracing,
        onReconcile,
      }
    }
  }

  #reportLoop(controller: string, loop: UpdateLoop, logger: Logger): void {
    this.metrics
      .counter('homeostat_update_loops_total', 'Fields that were set to the same value again and again.')
      .add(1, { controller, kind: loop.kind })
    logger.warn(
      { controller, ...loop },
      'a field is set to the same value again and again: something else changes it back. See who with `kubectl get --show-managed-fields`, and leave the field to it, or make it leave the field to this controller',
    )
  }

  async #connect(cleanUp: CleanUp): Promise<{ transport: Transport; namespace: string | undefined }> {
    const { transport: given, config } = this.#options
    if (given) return { transport: countedTransport(given, this.metrics), namespace: undefined }
    const { connect, loadConfig } = await adapters.transport()
    const target = config ?? loadConfig()
    const transport = cleanUp.use(connect(target, { clock: this.#clock }))
    const namespace = 'namespace' in target ? target.namespace : undefined
    return { transport: countedTransport(transport, this.metrics), namespace }
  }

  async #election(
    transport: Transport,
    contextNamespace: string | undefined,
    logger: Logger,
  ): Promise<LeaderElection | undefined> {
    const { leaderElection: given } = this.#options
    if (!given) return undefined
    const clock = this.#clock
    const namespace = given.namespace ?? contextNamespace
    if (namespace === undefined) {
      throw new HomeostatError(
        'LEADER_ELECTION_OPTIONS_INVALID',
        'the manager was given a transport, so it cannot know its namespace: give leaderElection.namespace',
      )
    }
    const identity = given.identity ?? `${(await adapters.identity()).hostName()}_${reconcileId(clock)}`
    return new LeaderElection({
      election: { ...given, namespace, identity },
      client: createClient({ transport, clock, logger, fieldManager: identity.slice(0, 128) }),
      clock,
      logger,
      metrics: this.metrics,
    })
  }

  async #openPages(cleanUp: CleanUp, logger: Logger): Promise<void> {
    const { metrics, health } = this.#options
    const metricsPages: [string, Page][] = [['/metrics', () => this.#metricsPage()]]
    const healthPages: [string, Page][] = [
      ['/healthz', (request) => this.#healthz.answer(request, logger)],
      ['/readyz', (request) => this.#readyz.answer(request, logger)],
    ]
    const open = async (pages: [string, Page][], where: PageOptions): Promise<string> => {
      const { openPages } = await adapters.pages()
      const { origin } = cleanUp.use(await openPages(new Map(pages), where, { clock: this.#clock, logger }))
      logger.info({ url: origin, pages: pages.map(([path]) => path) }, 'pages are served')
      return origin
    }
    const shared = metrics && health && metrics.port === health.port && metrics.port !== 0
    if (metrics) {
      cleanUp.use((await adapters.metrics()).processMetrics(this.metrics, this.#clock))
      const origin = await open(shared ? [...metricsPages, ...healthPages] : metricsPages, metrics)
      this.#metricsUrl = `${origin}/metrics`
      if (shared) this.#healthUrl = origin
    }
    if (health && !shared) this.#healthUrl = await open(healthPages, health)
  }

  #metricsPage(): ReturnType<Page> {
    return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: this.metrics.page() }
  }

  #checkCaches(): void {
    const waiting = this.#crew?.starting ?? this.#controllers.map(({ name }) => name)
    if (waiting.length === 0) return
    throw new HomeostatError('CACHES_NOT_SYNCED', `${waiting.join(', ')} wait for their first lists`)
  }

  /** Events are worth a short wait, and no more. */
  async #flushEvents(events: ApiEventRecorder): Promise<void> {
    const enough = new AbortController()
    const timeout = this.#clock.sleep(5000, { signal: enough.signal }).catch(() => {})
    await Promise.race([events.flush(), timeout])
    enough.abort()
  }
}

/** What only Node has is loaded when it is used: a manager with a transport of its own runs anywhere. */
const adapters = {
  signals: () => import('./process-signals.ts'),
  logger: () => import('./process-logger.ts'),
  identity: () => import('./process-identity.ts'),
  pages: () => import('./http-pages.ts'),
  metrics: () => import('./process-metrics.ts'),
  transport: () => import('../transport/index.ts'),
}

function needsLeader(options: ControllerOptions): boolean {
  return options.needLeaderElection !== false
}

function whenAborted(signal: AbortSignal): Disposable & { readonly promise: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const abort = (): void => resolve()
  signal.addEventListener('abort', abort, { once: true })
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', abort) }
}

function startedError(what: string): HomeostatError {
  return new HomeostatError('MANAGER_STARTED', `the manager was started already: ${what}. Make a new one.`)
}
