import {
  HomeostatError,
  milliseconds,
  SystemClock,
  formatKey,
  type Clock,
  type Duration,
} from '@homeostat/api'
import { InformerCache } from '../cache/informer-cache.ts'
import { createClient } from '../client/create-client.ts'
import {
  type Controller,
  type ControllerEnvironment,
  MountedController,
  type ReconcileReport,
} from '../controller/index.ts'
import { reconcileId } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import { MetricsRegistry } from '../telemetry/metrics.ts'
import type { Target } from '../transport/connect.ts'
import type { Transport } from '../transport/transport.ts'
import { ApiEventRecorder } from './api-event-recorder.ts'
import { CleanUp } from './clean-up.ts'
import { countedTransport } from './counted-transport.ts'
import type { MetricsPageOptions } from './metrics-page.ts'
import { requestThrottle, type RequestLimits } from './request-throttle.ts'

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
  metrics?: MetricsPageOptions | undefined
  /** How long reconciles under way may take to end when the manager stops. Default: `'30s'`. */
  gracefulShutdownTimeout?: Duration | 'unlimited' | undefined
  /** Holds the controllers' requests back where they are too many. Default: no limit. */
  requests?: RequestLimits | undefined
  /** How often every object is reconciled although nothing changed, give or take a tenth. Default: `'10h'`. */
  resync?: Duration | undefined
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
  #started = false
  #metricsUrl: string | undefined
  /** The numbers of all controllers, and a place for one's own. */
  readonly metrics = new MetricsRegistry()

  constructor(options: ManagerOptions = {}) {
    this.#options = options
    this.#clock = options.clock ?? new SystemClock()
    const { gracefulShutdownTimeout: timeout, resync } = options
    if (timeout !== undefined && timeout !== 'unlimited') milliseconds(timeout)
    if (resync !== undefined) milliseconds(resync)
    if (options.requests) requestThrottle(options.requests)
    // Whoever does not wait for it is told of a failed start by `start` itself.
    this.#synced.promise.catch(() => {})
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

  /** Resolves when every controller has seen all existing objects and begun its work, or the manager stops. */
  get synced(): Promise<void> {
    return this.#synced.promise
  }

  /** Where the page of metrics is, once it is open. */
  get metricsUrl(): string | undefined {
    return this.#metricsUrl
  }

  /**
   * Runs until the signal aborts; without a signal, until the process gets SIGINT or SIGTERM. Rejects when
   * it cannot start, or when reconciles had to be given up in the end.
   */
  async start(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#started) throw startedError('it cannot be started again')
    this.#started = true
    try {
      await using cleanUp = new CleanUp()
      const stop = options.signal ?? cleanUp.use((await adapters.signals()).stopOnProcessSignals()).signal
      await this.#run(cleanUp, stop)
      this.#synced.resolve()
    } catch (error) {
      this.#synced.reject(error)
      throw error
    }
  }

  async #run(cleanUp: CleanUp, stop: AbortSignal): Promise<void> {
    const clock = this.#clock
    const logger = this.#options.logger ?? (await adapters.logger()).processLogger(clock)
    const transport = await this.#transport(cleanUp)
    const throttle = this.#options.requests && requestThrottle(this.#options.requests)
    await this.#openPage(cleanUp, logger)
    const cache = cleanUp.use(
      new InformerCache({
        transport,
        clock,
        logger,
        resyncMilliseconds:
          this.#options.resync === undefined ? undefined : milliseconds(this.#options.resync),
      }),
    )
    const events = new ApiEventRecorder({
      clock,
      logger,
      instance: `homeostat-${reconcileId(clock)}`,
      client: (controller) => createClient({ transport, clock, logger, fieldManager: controller }),
    })
    cleanUp.add(() => this.#flushEvents(events))
    const environment: ControllerEnvironment = {
      cache,
      clock,
      logger,
      metrics: this.metrics,
      client: (options) => createClient({ transport, cache, throttle, ...options }),
      events: (controller) => events.for(controller),
      onReconcile: this.#options.onReconcile,
    }
    const mounted = this.#controllers.map((controller) => new MountedController(controller, environment))
    logger.info(
      { server: transport.server, controllers: this.#controllers.map(({ name }) => name) },
      'the manager starts',
    )
    try {
      await this.#untilStopped(mounted, stop)
    } finally {
      logger.info({}, 'the manager stops')
      await this.#stop(mounted, logger)
    }
    logger.info({}, 'the manager has stopped')
  }

  /** Resolves when it is to stop; rejects when a controller cannot run. */
  #untilStopped(mounted: readonly MountedController[], stop: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => resolve()
      if (stop.aborted) end()
      stop.addEventListener('abort', end, { once: true })
      for (const controller of stop.aborted ? [] : mounted) {
        controller.run().catch((error: unknown) => {
          stop.removeEventListener('abort', end)
          this.#synced.reject(error)
          reject(error)
        })
      }
      Promise.all(mounted.map((controller) => controller.synced)).then(() => this.#synced.resolve(), reject)
    })
  }

  async #stop(mounted: readonly MountedController[], logger: Logger): Promise<void> {
    const timeout = this.#options.gracefulShutdownTimeout ?? '30s'
    let givenUp: string[] = []
    const abort = (): void => {
      givenUp = mounted.flatMap((controller) => controller.running.map(formatKey))
      const error = new HomeostatError('MANAGER_STOPPED', 'the manager stops and waits no longer')
      for (const controller of mounted) controller.abort(error)
    }
    const drained = Promise.allSettled(mounted.map((controller) => controller.drain()))
    const timer = timeout === 'unlimited' ? undefined : this.#clock.schedule(milliseconds(timeout), abort)
    await drained
    timer?.cancel()
    const stuck = [...new Set([...givenUp, ...mounted.flatMap(({ running }) => running.map(formatKey))])]
    if (stuck.length === 0) return
    logger.error({ objects: stuck }, 'reconciles did not end in time and were aborted')
    throw new HomeostatError(
      'MANAGER_STOP_TIMEOUT',
      `the manager stopped although reconciles of ${stuck.join(', ')} had not ended within ${timeout}: pass the context's signal to what they wait for, or raise gracefulShutdownTimeout`,
    )
  }

  async #transport(cleanUp: CleanUp): Promise<Transport> {
    const { transport: given, config } = this.#options
    let transport = given
    if (!transport) {
      const { connect, loadConfig } = await adapters.transport()
      transport = cleanUp.use(connect(config ?? loadConfig(), { clock: this.#clock }))
    }
    return countedTransport(transport, this.metrics)
  }

  async #openPage(cleanUp: CleanUp, logger: Logger): Promise<void> {
    if (!this.#options.metrics) return
    const { openMetricsPage } = await adapters.page()
    const page = cleanUp.use(await openMetricsPage(this.metrics, this.#options.metrics, this.#clock))
    this.#metricsUrl = page.url
    logger.info({ url: page.url }, 'metrics are served')
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
  page: () => import('./metrics-page.ts'),
  transport: () => import('../transport/index.ts'),
}

function startedError(what: string): HomeostatError {
  return new HomeostatError('MANAGER_STARTED', `the manager was started already: ${what}. Make a new one.`)
}
