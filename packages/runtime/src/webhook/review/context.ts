import type { Clock } from '@homeostat/api'
import type { Client } from '../../client/index.ts'
import type { Logger, Metrics } from '../../telemetry/index.ts'

/** The context of every webhook. */
export interface WebhookContext {
  /** Its lines carry the webhook, the object, the user and the `requestID`. */
  readonly log: Logger
  /** Aborts at the deadline, or when the API server hangs up. */
  readonly signal: AbortSignal
  /** When the API server stops waiting, in milliseconds since 1970; `undefined` where it did not say. */
  readonly deadline: number | undefined
  /** Simulated time passes while the handler sleeps by this clock. */
  readonly clock: Clock
  readonly metrics: Metrics
  /**
   * Reads and writes objects. Pass `signal` to each request, so that it ends in time. Throws if the webhooks were
   * mounted without a client.
   */
  readonly client: Client
}
