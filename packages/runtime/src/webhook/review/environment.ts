import { SystemClock, type Clock, type Pausable } from '@homeostat/api'
import type { Client } from '../../client/index.ts'
import { MetricsRegistry, silentLogger, type Logger, type Tracing } from '../../telemetry/index.ts'

/** The call of a webhook for which a client is created. */
export interface WebhookCaller {
  /** The path of the webhook without its slash. */
  readonly fieldManager: string
  /** The clock of the call: simulated time passes while the handler sleeps by it. */
  readonly clock: Clock
  /** Ends the client's requests. */
  readonly signal: AbortSignal
  readonly logger: Logger
  /** The call, which waits for the client's requests. */
  readonly waiting: Pausable
}

/** The environment of webhooks. A manager provides all of it; a test may leave everything out. */
export interface WebhookEnvironment {
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /** Default: nothing is logged. */
  readonly logger?: Logger | undefined
  /** Default: a new registry. */
  readonly metrics?: MetricsRegistry | undefined
  /** Receives spans. Default: there are none. */
  readonly tracing?: Tracing | undefined
  /** The client for one call. Without it `context.client` throws. */
  readonly client?: ((caller: WebhookCaller) => Client) | undefined
}

/** An environment with its defaults. */
export type ResolvedEnvironment = WebhookEnvironment & {
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: MetricsRegistry
}

/** The environment with its defaults filled in. */
export function environmentOf(environment: WebhookEnvironment): ResolvedEnvironment {
  return {
    ...environment,
    clock: environment.clock ?? new SystemClock(),
    logger: environment.logger ?? silentLogger,
    metrics: environment.metrics ?? new MetricsRegistry(),
  }
}
