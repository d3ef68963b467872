import type { Clock, ObjectKey } from '@homeostat/api'
import type { Client } from '../client/client.ts'
import type { WorkItem } from '../queue/index.ts'
import { type Cause, type EventRecorder, type ReconcileContext, reconcileId } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { ControllerEnvironment } from './environment.ts'
import type { ReconcileRun } from './reconcile-run.ts'

/** The context of one run. What a reconcile does not use is not made. */
export class RunContext implements ReconcileContext {
  readonly #run: ReconcileRun
  readonly fieldManager: string
  readonly #environment: ControllerEnvironment
  readonly causes: readonly Cause[]
  readonly reconcileID: string
  readonly log: Logger
  #client: Client | undefined

  constructor(
    run: ReconcileRun,
    item: WorkItem<Cause>,
    request: ObjectKey,
    controller: string,
    environment: ControllerEnvironment,
    log: Logger,
  ) {
    this.#run = run
    this.fieldManager = controller
    this.#environment = environment
    this.causes = item.causes
    this.reconcileID = reconcileId(environment.clock)
    this.log = log.child({ ...request, reconcileID: this.reconcileID })
  }

  get client(): Client {
    this.#client ??= this.#environment.client({
      fieldManager: this.fieldManager,
      clock: this.#run.clock,
      signal: this.#run.signal,
      beforeWrite: () => this.#run.assertMayWrite(),
      logger: this.log,
    })
    return this.#client
  }

  get signal(): AbortSignal {
    return this.#run.signal
  }

  get clock(): Clock {
    return this.#run.clock
  }

  get events(): EventRecorder {
    return this.#environment.events(this.fieldManager)
  }

  get metrics(): Metrics {
    return this.#environment.metrics
  }
}
