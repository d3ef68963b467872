import type { Clock } from '@homeostat/api'
import type { Client } from '../client/index.ts'
import type { EventRecorder } from '../reconcile/index.ts'
import type { Logger, Metrics } from '../telemetry/index.ts'

/** What a migration needs of the manager that runs it: the context of a runnable has it. */
export interface MigrationContext {
  readonly client: Client
  readonly log: Logger
  readonly clock: Clock
  readonly events: EventRecorder
  readonly metrics: Metrics
  readonly signal: AbortSignal
}
