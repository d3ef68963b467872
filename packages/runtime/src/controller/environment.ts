import type { AnyKind, Clock, ObjectKey, Pausable } from '@homeostat/api'
import type { Activity } from '../activity/index.ts'
import type { Cache } from '../cache/index.ts'
import type { Client } from '../client/index.ts'
import type { FieldsWritten, ObjectWritten } from '../apply/index.ts'
import type { Cause, EventRecorder } from '../reconcile/index.ts'
import type { CallbackFailureListener, Logger, MetricsRegistry, Tracing } from '../telemetry/index.ts'
import type { ReconcileLoop, WriteChains } from '../guards/index.ts'

/** The user of a client, usually one reconcile. Each property is read when a request needs it. */
export interface ReconcileCaller {
  /** The controller's name. */
  readonly fieldManager: string
  /** The clock of the reconcile: simulated time moves on while the reconcile waits by it. */
  readonly clock: Clock
  /** Ends the client's requests. */
  readonly signal: AbortSignal
  /** Called before each write; an error that it throws prevents the write. */
  readonly beforeWrite?: (() => void) | undefined
  /** Called with the resourceVersion that each write produced, or the uid of the object that it deleted. */
  readonly afterWrite?: ((version: string) => void) | undefined
  readonly logger: Logger
  /** The reconcile that waits for the client's requests. Absent where the client belongs to none. */
  readonly waiting?: Pausable | undefined
  /** The reconcile; absent where the client belongs to none. */
  readonly reconcile?: { readonly reconcileID: string } | undefined
  /** Called before each read, with the key of an object or without one for a list. */
  readonly onRead?: ((kind: AnyKind, key: ObjectKey | undefined) => void) | undefined
  /** Called after a write with the fields whose values it changed: see `contested-fields.ts`. */
  readonly onFieldsWritten?: ((write: FieldsWritten) => void) | undefined
  /** Called after each write, whether the server accepted it or not. */
  readonly onWrite?: ((write: ObjectWritten) => void) | undefined
  /**
   * Delays further reconciles of this object that events cause. Each call in another reconcile doubles the delay: see
   * `request-pacing.ts`. Retries and `requeueAfter` keep their own times, and other objects are not delayed. Absent where the
   * client belongs to no reconcile.
   */
  readonly slowDown?: (() => void) | undefined
}

/** The result of one reconcile. */
export interface ReconcileReport {
  readonly controller: string
  readonly request: ObjectKey
  readonly causes: readonly Cause[]
  readonly reconcileID: string
  /**
   * `conflict` is a lost race that is retried quickly; `terminal` an error that is not retried; `abandoned`
   * a reconcile that did not end after its signal aborted.
   */
  readonly result: 'success' | 'requeue' | 'requeueAfter' | 'conflict' | 'error' | 'terminal' | 'abandoned'
  /** In milliseconds. */
  readonly duration: number
  readonly error?: unknown
  /** The milliseconds until the object is reconciled again, unless an event comes earlier. */
  readonly next?: number | undefined
  /** Set if the object's reconciles cause each other in an endless loop. */
  readonly loop?: ReconcileLoop | undefined
}

/** The environment of a controller: one cluster, and the state that all controllers of the process share. */
export interface ControllerEnvironment {
  readonly cache: Cache
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: MetricsRegistry
  client(caller: ReconcileCaller): Client
  events(controller: string): EventRecorder
  /** The writes of all controllers, by which loops of several of them are found. */
  readonly chains: WriteChains
  /** Receives spans. Default: there are none. */
  readonly tracing?: Tracing | undefined
  /** Where reconciles and queues are recorded, if anywhere. */
  readonly activity?: Activity | undefined
  readonly onReconcile?: ((report: ReconcileReport) => void) | undefined
  readonly onCallbackFailure?: CallbackFailureListener | undefined
}
