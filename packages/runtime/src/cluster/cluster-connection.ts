import {
  checkOptionNames,
  HomeostatError,
  milliseconds,
  optionNames,
  type AnyKind,
  type Clock,
  type Duration,
} from '@homeostat/api'
import { type CacheOptions, checkCacheOptions, InformerCache } from '../cache/index.ts'
import { type Client, type ClientCaller, clientOf, type ServerFields } from '../client/index.ts'
import { writeListenerOf } from '../apply/index.ts'
import type { ReconcileContext } from '../reconcile/index.ts'
import { kindSource, type ObjectSource } from '../source/index.ts'
import type { CallbackFailureListener, Logger, MetricsRegistry, Tracing } from '../telemetry/index.ts'
import type { Target } from '../connection/index.ts'
import { tracedTransport, type Transport } from '../transport/index.ts'
import { type LeaderElection, leadingTransport } from '../election/index.ts'
import { requestThrottle, type RequestLimits } from './request-throttle.ts'

/** Which cluster to connect to, and what its cache keeps. */
export interface ClusterConnectionOptions extends ConnectionOptions {
  /** Whether this process writes to the cluster only while it leads, if the manager elects a leader. Default: true. */
  needLeaderElection?: boolean | undefined
}

/** The connection and the cache of a cluster. */
export interface ConnectionOptions {
  /** Which cluster, as `loadConfig` gives it. Default: what `loadConfig()` finds, as kubectl would. */
  config?: Target | undefined
  /** How to reach the cluster, instead of `config`. The manager does not close it. */
  transport?: Transport | undefined
  /** The kinds, namespaces and selections that the cache keeps. Default: everything that is watched. */
  cache?: CacheOptions | undefined
  /** How often every object is reconciled although nothing changed, give or take a tenth. Default: `'10h'`. */
  resync?: Duration | undefined
  /** Limits the rate of the controllers' requests. Default: no limit. */
  requests?: RequestLimits | undefined
}

/** The names of {@link ConnectionOptions}. */
export const CONNECTION_OPTIONS = {
  config: true,
  transport: true,
  cache: true,
  resync: true,
  requests: true,
} as const

const CLUSTER_OPTIONS = optionNames<ClusterConnectionOptions>('ClusterConnection', {
  ...CONNECTION_OPTIONS,
  needLeaderElection: true,
})

/** The parts of a manager that its clusters use. */
export interface ClusterEnvironment {
  /** A transport whose requests are already counted. The manager closes it. */
  readonly transport: Transport
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  readonly tracing: Tracing | undefined
  readonly onCallbackFailure: CallbackFailureListener | undefined
  readonly election: LeaderElection | undefined
}

/** A cluster while its manager runs. */
export interface OpenCluster extends AsyncDisposable {
  readonly cache: InformerCache
  /** A client that reads the cache. With `needsLeader` it writes only while this process leads. */
  client(caller: ClientCaller, needsLeader: boolean): Client
  /** A client that reads the server, and watches nothing. */
  liveClient(caller: ClientCaller, needsLeader: boolean): Client<ServerFields>
  /** Carries requests without waiting for the leader or for limits. */
  readonly transport: Transport
}

/** The method by which a manager opens a cluster: a symbol, because it is not part of the public class. */
export const OPEN_CLUSTER: unique symbol = Symbol('opens a cluster for a manager')

/**
 * A cluster besides the manager's own. It is connected while the manager that it was added to runs. Its kinds can
 * be watched by controllers, `.watches(edge.kind(Secret), …)`, and reconciles read and write it with
 * `edge.clientFor(context)`.
 */
export class ClusterConnection {
  readonly name: string
  readonly options: ClusterConnectionOptions
  #open: OpenCluster | undefined

  /** The name appears in logs and metrics. Throws a `HomeostatError` if the options are not valid. */
  constructor(name: string, options: ClusterConnectionOptions = {}) {
    this.name = name
    this.options = options
    checkOptionNames(options, CLUSTER_OPTIONS)
    checkCacheOptions(options.cache)
    if (options.resync !== undefined) milliseconds(options.resync)
    if (options.requests) requestThrottle(options.requests)
  }

  /** The cache of this cluster, while the manager runs. */
  get cache(): InformerCache {
    return this.#opened.cache
  }

  /** The changes of a kind's objects in this cluster, for a controller to watch. */
  kind<K extends AnyKind>(kind: K): ObjectSource<K> {
    return {
      name: `kind ${kind.kind} of ${this.#title}`,
      watch: (context, emit) =>
        kindSource(kind).start({ ...context, cache: this.cache }, (event) => emit(kind, event)),
    }
  }

  /**
   * A client that reads this cluster's cache and writes to its server, for one reconcile or runnable: with its
   * field manager, and until its signal aborts.
   */
  clientFor(
    context: Pick<ReconcileContext, 'fieldManager' | 'signal' | 'clock' | 'log'> &
      Partial<Pick<ReconcileContext, 'client'>>,
  ): Client {
    const { client, clock, fieldManager, log: logger, signal } = context
    const needsLeader = this.options.needLeaderElection !== false
    const listener = client && writeListenerOf(client)
    const cluster = this.name === OWN_CLUSTER ? undefined : this.name
    return this.#opened.client(
      {
        clock,
        fieldManager,
        logger,
        signal,
        onFieldsWritten: (write) => listener?.onFieldsWritten?.({ ...write, cluster }),
        beforeWrite: listener?.beforeWrite && (() => listener.beforeWrite?.()),
        afterWrite: listener?.afterWrite && ((version) => listener.afterWrite?.(version)),
        onWrite: listener?.onWrite && ((write) => listener.onWrite?.(write)),
      },
      needsLeader,
    )
  }

  get #title(): string {
    return this.name === OWN_CLUSTER ? "the manager's cluster" : `the cluster ${this.name}`
  }

  get #opened(): OpenCluster {
    if (this.#open) return this.#open
    const remedy = this.name === OWN_CLUSTER ? 'use it' : 'add it with manager.addCluster, and use it'
    throw new HomeostatError(
      'CLUSTER_NOT_CONNECTED',
      `${this.#title} is not connected: ${remedy} while the manager runs`,
    )
  }

  /** Connects the cluster until the result is disposed of; its cache ends then. */
  [OPEN_CLUSTER](environment: ClusterEnvironment): OpenCluster {
    const { transport, clock, logger, metrics, tracing, election, onCallbackFailure } = environment
    if (this.#open) {
      throw new HomeostatError(
        'CLUSTER_IN_USE',
        `${this.#title} already belongs to a running manager: create another ClusterConnection with the same options`,
      )
    }
    const { cache: kept, requests, resync } = this.options
    const throttle = requests && requestThrottle(requests)
    const traced = tracing ? tracedTransport(transport, tracing, clock) : transport
    const leading = election ? leadingTransport(traced, election) : traced
    const cache = new InformerCache({
      ...kept,
      transport,
      clock,
      logger,
      metrics,
      onCallbackFailure,
      metricLabels: this.name === OWN_CLUSTER ? undefined : { cluster: this.name },
      resyncMilliseconds: resync === undefined ? undefined : milliseconds(resync),
    })
    const free = { transport: traced, cache, throttle }
    const led = { transport: leading, cache, throttle }
    const open: OpenCluster = {
      cache,
      transport: traced,
      client: (caller, needsLeader) => clientOf(needsLeader ? led : free, caller),
      liveClient: (caller, needsLeader) =>
        clientOf({ transport: needsLeader ? leading : traced, throttle }, caller),
      [Symbol.asyncDispose]: async () => {
        this.#open = undefined
        await cache.stop()
      },
    }
    this.#open = open
    return open
  }
}

/** The name of the cluster that a manager is made for. */
export const OWN_CLUSTER = ''
