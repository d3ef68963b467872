import type { Clock } from '@homeostat/api'
import type { Client, CacheFields } from '../client/index.ts'
import type { Logger, Metrics } from '../telemetry/index.ts'
import type { Cause } from './cause.ts'
import type { EventRecorder } from './event-recorder.ts'

/** The context of a reconcile. `I` is the type of the fields that its client's lists can select by. */
export interface ReconcileContext<I = CacheFields> {
  /**
   * Reads from the cache and writes to the server, as the controller's field manager. Its requests end
   * when the reconcile's signal aborts, and it refuses to write for a reconcile that was given up.
   */
  readonly client: Client<I>
  /** Its lines carry the controller, the object and the `reconcileID`. */
  readonly log: Logger
  /** Aborts when the reconcile has taken too long, or the process must stop now. */
  readonly signal: AbortSignal
  /** Why this reconcile runs, for logs and messages. The reconcile must not depend on it. */
  readonly causes: readonly Cause[]
  /** The time of the process, which a test moves forward: use it in place of `Date.now()` and `setTimeout`. */
  readonly clock: Clock
  /** Writes events about objects, as `kubectl describe` and `kubectl get events` show them. */
  readonly events: EventRecorder
  /** Counters, gauges and histograms of your own, for the page `/metrics`. */
  readonly metrics: Metrics
  /** Identifies this one call in logs, traces and on the page. */
  readonly reconcileID: string
  /** The field manager of its writes: the controller's name. */
  readonly fieldManager: string
}
