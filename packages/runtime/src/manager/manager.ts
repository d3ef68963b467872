import {
  checkNodeVersion,
  checkOptionNames,
  HomeostatError,
  milliseconds,
  SystemClock,
  type Clock,
} from '@homeostat/api'
import { Activity } from '../activity/index.ts'
import type { InformerCache } from '../cache/index.ts'
import { createClient } from '../client/index.ts'
import type { Controller, PolicyRule } from '../controller/index.ts'
import { type Logger, MetricsRegistry } from '../telemetry/index.ts'
import { CleanUp } from '../process/index.ts'
import {
  ClusterConnection,
  type ClusterTransport,
  connectCluster,
  OPEN_CLUSTER,
  OWN_CLUSTER,
} from '../cluster/index.ts'
import { checkDefaults, unknownGroupKinds } from './controller-defaults.ts'
import { createElection, electionTimes, type LeaderElection } from '../election/index.ts'
import { stopGroup, workUntilStopped } from './group-lifecycle.ts'
import { RunnableGroup } from './runnable-group.ts'
import {
  type HealthCheck,
  HealthChecks,
  openManagerPages,
  openOperatorPage,
  type PageOrigins,
} from '../pages/index.ts'
import { checkManagerOptions, type ManagerOptions } from './manager-options.ts'
import { cachesNotSynced, startedError, webhooksTwice } from './manager-errors.ts'
import type { Webhook, WebhooksOptions } from '../webhook/index.ts'
import { controllerRules, electionRules, pageRules } from '../rules/index.ts'
import { type Registration, Registrations } from './registrations.ts'
import { RUNNABLE_OPTIONS, type Runnable, type RunnableOptions } from './runnable.ts'
import { ManagedWebhooks, WEBHOOKS } from './managed-webhooks.ts'
import { ManagerEnvironment } from './manager-environment.ts'

/** The default of `gracefulShutdownTimeout`. */
const GRACE = '30s'

/**
 * Runs controllers and runnables on one cluster: one connection, one cache, one page of metrics for all of them. It
 * starts its pages first, then the caches of its clusters, then everything that needs no leader, then everything
 * that needs one; it stops them in reverse order.
 *
 * `start` resolves after an orderly stop: no further reconcile is started, those under way end, and
 * nothing is left running. A manager can be started once.
 */
export class Manager {
  readonly #options: ManagerOptions
  readonly #clock: Clock
  readonly #own: ClusterConnection
  readonly #clusters: ClusterConnection[] = []
  readonly #controllers: Controller[] = []
  readonly #registrations = new Registrations()
  readonly #synced = Promise.withResolvers<void>()
  readonly #elected = Promise.withResolvers<void>()
  readonly #healthz = new HealthChecks('healthz')
  readonly #readyz = new HealthChecks('readyz')
  #webhooks: ManagedWebhooks | undefined
  #state: 'new' | 'started' | 'stopping' = 'new'
  #pages: PageOrigins = {}
  #pageUrl: string | undefined
  /** The cache of its own cluster, once that is connected. */
  #cache: InformerCache | undefined
  /** The metrics of all controllers; an operator can add its own. */
  readonly metrics = new MetricsRegistry()

  constructor(options: ManagerOptions = {}) {
    checkNodeVersion()
    checkManagerOptions(options)
    this.#options = options.page ? { activity: new Activity(), ...options } : options
    this.#clock = options.clock ?? new SystemClock()
    const { config, transport, cache, resync, requests } = options
    this.#own = new ClusterConnection(OWN_CLUSTER, { config, transport, cache, resync, requests })
    const { controllers, gracefulShutdownTimeout: timeout, leaderElection } = options
    if (timeout !== undefined && timeout !== 'unlimited') milliseconds(timeout)
    if (leaderElection) electionTimes(leaderElection)
    if (controllers) checkDefaults(controllers)
    this.#healthz.add('ping', () => {})
    this.#readyz.add('caches', () => this.#checkCaches())
    // A caller that does not wait for them gets the failure of the start from `start` itself.
    this.#synced.promise.catch(() => {})
    this.#elected.promise.catch(() => {})
  }

  /**
   * Adds controllers, also while the manager runs. Each must have its own name, which is the field manager of its
   * writes and appears in metrics.
   */
  add(...controllers: readonly Controller[]): this {
    for (const controller of controllers) {
      const { name } = controller
      this.#register(name, {
        what: `the controller ${name}`,
        mount: (environment) => environment.controller(controller),
      })
      this.#controllers.push(controller)
    }
    return this
  }

  /**
   * Adds work that runs as long as the manager or ends earlier: a server, a poller, a one-time task. It runs in the
   * process that leads, or with `needLeaderElection: false` in every process. If it throws, the manager stops with
   * that error. Its name must differ from those of the controllers.
   */
  addRunnable(name: string, run: Runnable, options: RunnableOptions = {}): this {
    checkOptionNames(options, RUNNABLE_OPTIONS)
    this.#register(name, {
      what: `the runnable ${name}`,
      rights: options,
      mount: (environment) => environment.runnable(name, run, options),
    })
    return this
  }

  /**
   * Serves webhooks over HTTPS while the manager runs, in every process and not only in the one that leads. `/readyz`
   * fails before they are served. A manager in a Pod accepts new connections for a moment after it was told to stop.
   * Every manager answers the requests that it has received. All webhooks of an operator are added in one call.
   */
  addWebhooks(webhooks: readonly Webhook[], options: WebhooksOptions = {}): this {
    if (this.#webhooks) throw webhooksTwice()
    const { leaderElection, serveWebhooks: serve, tracing, gracefulShutdownTimeout = GRACE } = this.#options
    const managed = new ManagedWebhooks(webhooks, options, {
      lease: leaderElection?.name,
      namespace: leaderElection?.namespace,
      hasPort: serve === undefined,
    })
    for (const [name, registration] of managed.registrations({ tracing, serve, gracefulShutdownTimeout })) {
      this.#register(name, registration)
    }
    this.#readyz.add(WEBHOOKS, managed.ready)
    this.#webhooks = managed
    return this
  }

  /**
   * Stops one controller or runnable while the manager keeps running. Resolves when its running work has ended;
   * with false if none has this name.
   */
  async remove(name: string): Promise<boolean> {
    const index = this.#controllers.findIndex((controller) => controller.name === name)
    if (index >= 0) this.#controllers.splice(index, 1)
    return this.#registrations.remove(name)
  }

  /** Adds another cluster, which is connected while the manager runs. */
  addCluster(cluster: ClusterConnection): this {
    if (this.#state !== 'new') throw startedError(`the cluster ${cluster.name} cannot be added`)
    if (cluster.name === OWN_CLUSTER || this.#clusters.some(({ name }) => name === cluster.name)) {
      throw new HomeostatError(
        'CLUSTER_NAME_TAKEN',
        `a cluster cannot be named ${JSON.stringify(cluster.name)}: logs and metrics use the name, so give each cluster its own`,
      )
    }
    this.#clusters.push(cluster)
    return this
  }

  /** The controllers that were added and not removed. */
  get controllers(): readonly Controller[] {
    return this.#controllers
  }

  /** The webhooks that were added. */
  get webhooks(): readonly Webhook[] {
    return this.#webhooks?.webhooks ?? []
  }

  /** The manager's own cluster, while the manager runs: its cache, and its kinds to watch. */
  get cluster(): ClusterConnection {
    return this.#own
  }

  /**
   * The RBAC rules that the manager needs. They allow what its controllers watch, own, and declare to read and write;
   * the events that they record; pages that authorize their readers; webhooks; and the Lease if a leader is elected.
   * `clusterRole` and `role` turn the rules into objects. `'namespace'` selects what the manager needs only in its own
   * namespace: the Lease, and the Secret with the webhooks' certificates; `'controllers'` selects all the rest.
   */
  rules(part: 'all' | 'controllers' | 'namespace' | 'leaderElection' = 'all'): PolicyRule[] {
    const { leaderElection, metrics, page, profiling } = this.#options
    const asks = metrics?.authorize || profiling?.authorize || page
    const everywhere = part === 'all' || part === 'controllers'
    return [
      ...(everywhere ? controllerRules(this.#controllers, this.#registrations.rights) : []),
      ...(everywhere && asks ? pageRules() : []),
      ...(everywhere && page ? page.rules(this.#controllers) : []),
      ...(part === 'controllers' || !leaderElection ? [] : electionRules(leaderElection)),
      ...(part === 'all' || part === 'namespace' ? (this.#webhooks?.namespaceRules() ?? []) : []),
    ]
  }

  /** Resolves when every controller has seen all existing objects and begun its work, or the manager stops. */
  get synced(): Promise<void> {
    return this.#synced.promise
  }

  /** Resolves when API servers call the webhooks that this process installs; at once if it installs none. */
  get webhooksInstalled(): Promise<void> {
    return this.#webhooks?.installed ?? Promise.resolve()
  }

  /** Resolves when this process leads, or no leader is elected, or the manager stops. */
  get elected(): Promise<void> {
    return this.#elected.promise
  }

  /** The address of the metrics page, once it listens. */
  get metricsUrl(): string | undefined {
    return this.#pages.metrics && `${this.#pages.metrics}/metrics`
  }

  /** Where `/healthz` and `/readyz` are, once they are open. */
  get healthUrl(): string | undefined {
    return this.#pages.health
  }

  /** Where `/debug/cpu` and `/debug/heap` are, once they are open. */
  get profilingUrl(): string | undefined {
    return this.#pages.profiling && `${this.#pages.profiling}/debug`
  }

  /** Where the page that shows the operator is, once it is open. */
  get pageUrl(): string | undefined {
    return this.#pageUrl
  }

  /** Where the webhooks answer, without a path, once their port is open. */
  get webhooksUrl(): string | undefined {
    return this.#webhooks?.url
  }

  /** Adds a check to `/healthz`: if it fails, the kubelet restarts the container. */
  addHealthCheck(name: string, check: HealthCheck): this {
    this.#healthz.add(name, check)
    return this
  }

  /** Adds a check to `/readyz`: if it fails, the Pod gets no traffic and does not count as available. */
  addReadyCheck(name: string, check: HealthCheck): this {
    this.#readyz.add(name, check)
    return this
  }

  /**
   * Runs until the signal aborts; without a signal, until the process gets SIGINT or SIGTERM. Rejects if it cannot
   * start, if a runnable failed, if some work did not end within `gracefulShutdownTimeout`, and with code
   * `LEADER_ELECTION_LOST` if this process has lost the lead.
   */
  async start(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#state !== 'new') throw startedError('it cannot be started again')
    this.#state = 'started'
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
    } finally {
      this.#state = 'stopping'
    }
  }

  async #run(cleanUp: CleanUp, stop: AbortSignal): Promise<void> {
    const clock = this.#clock
    const { metrics } = this
    const logger = this.#options.logger ?? (await adapters.logger()).processLogger(clock)
    const { growYoungGeneration = this.#options.transport !== undefined } = this.#options
    if (!growYoungGeneration) cleanUp.use((await adapters.youngGeneration()).limitYoungGeneration())
    const own = await connectCluster(this.#options, { clock, metrics, cleanUp })
    const { health, metrics: metricsPage, profiling } = this.#options
    this.#pages = await openManagerPages({
      metrics: metricsPage,
      health,
      profiling,
      healthz: this.#healthz,
      readyz: this.#readyz,
      registry: metrics,
      clock,
      logger,
      client: () => createClient({ transport: own.transport, clock, logger }),
      cleanUp,
    })
    this.#pageUrl = await this.#openPage(own, cleanUp, logger)
    const { leaderElection } = this.#options
    const election = leaderElection && (await createElection(leaderElection, own, { clock, logger, metrics }))
    if (election) cleanUp.add(() => election.stop())
    const environment = await this.#openClusters(cleanUp, own, election, logger)
    const group = new RunnableGroup(clock, logger)
    this.#registrations.mount(group, environment)
    this.#logStart(own, logger)
    let failure: { error: unknown } | undefined
    try {
      await workUntilStopped(group, election, stop, {
        onElected: () => this.#elected.resolve(),
        onSynced: () => this.#synced.resolve(),
      })
    } catch (error) {
      failure = { error }
      this.#elected.reject(error)
      this.#synced.reject(error)
    }
    this.#state = 'stopping'
    logger.info('the manager stops')
    await stopGroup(group, election, this.#options.gracefulShutdownTimeout ?? GRACE, failure)
    logger.info('the manager has stopped')
  }

  async #openPage(
    { transport, connectAs }: ClusterTransport,
    cleanUp: CleanUp,
    logger: Logger,
  ): Promise<string | undefined> {
    const { page, activity, leaderElection } = this.#options
    if (!page || !activity) return undefined
    const clock = this.#clock
    return openOperatorPage(page, {
      name: leaderElection?.name,
      controllers: this.#controllers,
      activity,
      clock,
      logger,
      transport,
      namespaces: this.#options.cache?.namespaces,
      informer: (kind) => this.#cache?.running(kind),
      connectAs,
      metrics: this.metrics,
      cleanUp,
      client: () => createClient({ transport, clock, logger }),
    })
  }

  async #openClusters(
    cleanUp: CleanUp,
    own: ClusterTransport,
    election: LeaderElection | undefined,
    logger: Logger,
  ): Promise<ManagerEnvironment> {
    const clock = this.#clock
    const { metrics } = this
    const { onCallbackFailure, tracing } = this.#options
    const shared = { clock, logger, metrics, tracing, election, onCallbackFailure }
    for (const each of this.#clusters) {
      const { transport } = await connectCluster(each.options, { clock, metrics, cleanUp })
      cleanUp.use(each[OPEN_CLUSTER]({ ...shared, logger: logger.child({ cluster: each.name }), transport }))
    }
    const cluster = cleanUp.use(this.#own[OPEN_CLUSTER]({ ...shared, transport: own.transport }))
    this.#cache = cluster.cache
    const { namespace } = own
    const environment = new ManagerEnvironment(this.#options, { cluster, clock, logger, metrics, namespace })
    cleanUp.add(() => environment.flushEvents())
    return environment
  }

  #register(name: string, registration: Registration): void {
    if (this.#state === 'stopping') throw startedError(`${registration.what} cannot be added`)
    this.#registrations.add(name, registration)
  }

  #logStart({ transport }: ClusterTransport, logger: Logger): void {
    logger.info({ server: transport.server, runs: this.#registrations.names }, 'the manager starts')
    const unknown = unknownGroupKinds(this.#options.controllers ?? {}, this.#controllers)
    if (unknown.length === 0) return
    logger.warn(
      { groupKindConcurrency: unknown },
      'no controller reconciles these kinds: name them as Kind.group, such as Deployment.apps, or Pod',
    )
  }

  #checkCaches(): void {
    const waiting = this.#registrations.starting ?? this.#controllers.map(({ name }) => name)
    if (waiting.length > 0) throw cachesNotSynced(waiting)
  }
}

/**
 * Modules that need Node are loaded when they are used, so that a manager with a given transport also runs elsewhere.
 */
const adapters = {
  youngGeneration: () => import('../process/young-generation.ts'),
  signals: () => import('../process/process-signals.ts'),
  logger: () => import('../process/process-logger.ts'),
}
