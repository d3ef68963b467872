import type { Clock } from '@homeostat/api'
import type { Client } from '../client/index.ts'
import type { EventRecorder } from '../reconcile/index.ts'
import type { Logger, Metrics } from '../telemetry/index.ts'

/** The parts of the context of a runnable that a migration needs. */
export interface MigrationContext {
  readonly client: Client
  readonly log: Logger
  readonly clock: Clock
  readonly events: EventRecorder
  readonly metrics: Metrics
  readonly signal: AbortSignal
}
