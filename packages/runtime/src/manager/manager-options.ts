import { checkOptionNames, optionNames, type ApiHandler, type Clock, type Duration } from '@homeostat/api'
import type { Activity } from '../activity/index.ts'
import type { ReconcileReport } from '../controller/index.ts'
import type { CallbackFailureListener, Logger, Tracing } from '../telemetry/index.ts'
import { CONNECTION_OPTIONS, type ConnectionOptions } from '../cluster/index.ts'
import type { ControllerDefaults } from './controller-defaults.ts'
import type { LeaderElectionOptions } from '../election/index.ts'
import { checkPageOptions, type OperatorPage, type PageOptions } from '../pages/index.ts'

/** Gets the function that answers a manager's webhooks; the signal aborts when the manager stops. */
export type ServeWebhooks = (handler: ApiHandler, signal: AbortSignal) => void | Promise<void>

/** How a manager runs, and on which cluster. */
export interface ManagerOptions extends ConnectionOptions {
  /** Default: the machine's. */
  clock?: Clock | undefined
  /** Where log lines go. Default: standard error, as text for a terminal and as JSON otherwise. */
  logger?: Logger | undefined
  /** A page for Prometheus at `/metrics`. Default: none. */
  metrics?: PageOptions | undefined
  /** Pages for probes at `/healthz` and `/readyz`; they may share a port with `metrics`. Default: none. */
  health?: PageOptions | undefined
  /** A page that profiles the process, at `/debug/cpu` and `/debug/heap`. Default: none. */
  profiling?: PageOptions | undefined
  /** A page that shows what the manager does: `operatorPage()` of `@homeostat/dashboard`. Default: none. */
  page?: OperatorPage | undefined
  /** Lets one of several processes work while the others stand by. Default: every process works. */
  leaderElection?: LeaderElectionOptions | undefined
  /** How long running work may take to end when the manager stops. Default: `'30s'`. */
  gracefulShutdownTimeout?: Duration | 'unlimited' | undefined
  /**
   * Whether V8 may enlarge its young generation without limit, which costs an operator most of its memory and saves
   * little time. Default: false, or true for a manager with the option `transport`, since it is part of a larger
   * program.
   */
  growYoungGeneration?: boolean | undefined
  /** Options for all controllers. A controller's own options take precedence. Default: none. */
  controllers?: ControllerDefaults | undefined
  /**
   * Receives spans: one for each event, for its time in the queue, for each reconcile and for each of its requests.
   * The module `@opentelemetry/api` can be given. Default: there are no spans.
   */
  tracing?: Tracing | undefined
  /**
   * Serves the webhooks in another way than on a port. It is called when the manager starts, with the function that
   * answers the webhooks and a signal that aborts when the manager stops. A test calls that function in its own
   * process. Default: HTTPS on a port.
   */
  serveWebhooks?: ServeWebhooks | undefined
  /** Records reconciles, their writes and the queues, for a page or a program that shows them. Default: nothing is recorded. */
  activity?: Activity | undefined
  /** Called after every reconcile, with its result and its causes. It must not throw. */
  onReconcile?: ((report: ReconcileReport) => void) | undefined
  /**
   * Called for every mapping, predicate, index function and transform that threw. The manager logs these errors in
   * any case, and continues. `onCallbackFailure` must not throw.
   */
  onCallbackFailure?: CallbackFailureListener | undefined
}

const MANAGER_OPTIONS = optionNames<ManagerOptions>('Manager', {
  ...CONNECTION_OPTIONS,
  clock: true,
  logger: true,
  metrics: true,
  health: true,
  profiling: true,
  page: true,
  leaderElection: true,
  gracefulShutdownTimeout: true,
  growYoungGeneration: true,
  controllers: true,
  tracing: true,
  serveWebhooks: true,
  activity: true,
  onReconcile: true,
  onCallbackFailure: true,
})

/** Throws a `HomeostatError` with code `OPTION_UNKNOWN` for an option of the manager, or of its pages, that does not exist. */
export function checkManagerOptions(options: ManagerOptions): void {
  checkOptionNames(options, MANAGER_OPTIONS)
  for (const page of ['metrics', 'health', 'profiling'] as const) checkPageOptions(page, options[page])
}
