import type { Clock } from '@homeostat/api'
import { controllerMember, type GroupMember } from './group-member.ts'
import { type Controller, type ControllerEnvironment, MountedController } from '../controller/index.ts'
import type { Client, ClientCaller } from '../client/index.ts'
import { WriteChains } from '../guards/index.ts'
import { reconcileId } from '../reconcile/index.ts'
import type { Logger, MetricsRegistry } from '../telemetry/index.ts'
import { ApiEventRecorder } from '../events/index.ts'
import type { LiveCluster, WebhookCaller } from '../webhook/index.ts'
import type { OpenCluster } from '../cluster/index.ts'
import { withDefaults } from './controller-defaults.ts'
import type { ManagerOptions } from './manager-options.ts'
import { RunnableMember } from './runnable-member.ts'
import type { Runnable, RunnableOptions } from './runnable.ts'

/**
 * Gives the controllers and runnables of a manager their clients and event recorders, each under its own name. If
 * a controller or runnable needs leader election, its client writes only while this process leads.
 */
export class ManagerEnvironment {
  readonly #options: ManagerOptions
  readonly #cluster: OpenCluster
  readonly #namespace: string | undefined
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #metrics: MetricsRegistry
  readonly #chains: WriteChains
  /** The names of those that may write whether this process leads or not. */
  readonly #free = new Set<string>()
  readonly #events: ApiEventRecorder

  constructor(
    options: ManagerOptions,
    shared: {
      cluster: OpenCluster
      clock: Clock
      logger: Logger
      metrics: MetricsRegistry
      namespace?: string | undefined
    },
  ) {
    this.#options = options
    this.#cluster = shared.cluster
    this.#namespace = shared.namespace
    this.#clock = shared.clock
    this.#logger = shared.logger
    this.#metrics = shared.metrics
    this.#chains = new WriteChains(shared.clock)
    this.#events = new ApiEventRecorder({
      clock: shared.clock,
      logger: shared.logger,
      instance: `homeostat-${reconcileId(shared.clock)}`,
      client: (name) => this.#client({ fieldManager: name, logger: shared.logger, clock: shared.clock }),
    })
  }

  /** The controller, ready to be started. */
  controller(given: Controller): GroupMember {
    const controller = withDefaults(given, this.#options.controllers)
    const { name } = controller
    if (controller.options.needLeaderElection === false) this.#free.add(name)
    const environment: ControllerEnvironment = {
      cache: this.#cluster.cache,
      clock: this.#clock,
      logger: this.#logger,
      metrics: this.#metrics,
      chains: this.#chains,
      client: (caller) => this.#client(caller),
      events: (controller) => this.#events.for(controller),
      tracing: this.#options.tracing,
      activity: this.#options.activity,
      onReconcile: this.#options.onReconcile,
      onCallbackFailure: this.#options.onCallbackFailure,
    }
    return controllerMember(new MountedController(controller, environment))
  }

  /** The runnable, ready to be started. */
  runnable(name: string, run: Runnable, options: RunnableOptions): GroupMember {
    if (options.needLeaderElection === false) this.#free.add(name)
    const log = this.#logger.child({ runnable: name })
    return new RunnableMember(name, run, options, ({ stop, givenUp }) => ({
      client: this.#client({ fieldManager: name, clock: this.#clock, logger: log, signal: givenUp }),
      cache: this.#cluster.cache,
      fieldManager: name,
      log,
      clock: this.#clock,
      events: this.#events.for(name),
      metrics: this.#metrics,
      signal: stop,
    }))
  }

  /** The cluster and the shared parts, for work that watches single objects and reads them from the server. */
  get live(): LiveCluster {
    return {
      namespace: this.#namespace,
      transport: this.#cluster.transport,
      logger: this.#logger,
      client: (caller, needsLeader) => this.#cluster.liveClient(caller, needsLeader),
    }
  }

  /** A client for one call of a webhook. Webhooks are served by every process, so it writes whether this one leads or not. */
  readonly webhookClient = (caller: WebhookCaller): Client => this.#cluster.client(caller, false)

  /** Waits a short time until the recorded events are written. */
  async flushEvents(): Promise<void> {
    const late = Promise.withResolvers<void>()
    using _ = this.#clock.schedule(5000, late.resolve)
    await Promise.race([this.#events.flush(), late.promise])
  }

  #client(caller: ClientCaller & { readonly fieldManager: string }): Client {
    return this.#cluster.client(caller, !this.#free.has(caller.fieldManager))
  }
}
