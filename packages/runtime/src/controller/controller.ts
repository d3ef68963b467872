import type { AnyKind, Duration, ObjectKey } from '@homeostat/api'
import type { IndexFunction } from '../cache/index.ts'
import type { CacheFields } from '../client/index.ts'
import type { Handler } from '../handler/index.ts'
import type { Predicate } from '../predicate/index.ts'
import type { RetryLimits } from '../queue/index.ts'
import type { KnownResult, ReconcileContext, Result, ResultWith } from '../reconcile/index.ts'
import type { ExternalEvent, ObjectSource, Source } from '../source/index.ts'
import type { Access, PolicyRule } from './access.ts'

/** How a controller runs. */
export interface ControllerOptions {
  /** How many objects are reconciled at the same time. One object is never reconciled twice at once. Default: 1. */
  maxConcurrentReconciles?: number | undefined
  /** When failed reconciles are retried. Default: 1 s doubled up to 5 min, 10 a second. */
  retries?: RetryLimits | undefined
  /**
   * How long a reconcile may take before its signal aborts. Default: without limit. A simulated clock does not wait
   * for a reconcile with a limit, only for its requests.
   */
  reconcileTimeout?: Duration | undefined
  /** How long an aborted reconcile may take to settle before it is given up. Default: `'5s'`. */
  abortGracePeriod?: Duration | undefined
  /** How many reconciles may start in a second. Default: without limit. */
  maxReconcilesPerSecond?: number | undefined
  /**
   * How long a request waits for further events before it is reconciled, counted from the first of them: a
   * storm of events becomes one reconcile. Retries and `requeueAfter` do not wait. Default: it does not wait.
   */
  debounce?: Duration | undefined
  /** The shortest time between the starts of two reconciles of one object, whatever their causes are. Default: none. */
  minInterval?: Duration | undefined
  /** Which events matter, for all kinds. It is called before the predicate of the kind. Default: all. */
  predicate?: Predicate | undefined
  /**
   * How long to wait for the first list of a kind before reporting that it fails; the controller keeps waiting.
   * Default: `'2m'`.
   */
  cacheSyncTimeout?: Duration | undefined
  /**
   * Whether it runs only in the process that leads, if the manager elects a leader. Default: true. A controller
   * that runs in every process must tolerate that the others do the same work.
   */
  needLeaderElection?: boolean | undefined
  /** Whether its sources start before this process leads, so that it takes over sooner. Default: false. */
  enableWarmUp?: boolean | undefined
}

/** Brings one object to its desired state. `I` is the type of the fields that its client's lists can select by. */
export type Reconcile<R = ObjectKey, I = CacheFields> = (
  request: R,
  context: ReconcileContext<I>,
) => Result | Promise<Result>

/**
 * {@link Reconcile} as an argument, in whose result the compiler looks for unknown fields. `F` names the fields of the
 * result. `R` is what is reconciled: a request, or an object.
 */
export type CheckedReconcile<R, I, F extends string> = KnownResult<F> &
  ((reconciled: R, context: ReconcileContext<I>) => ResultWith<F> | Promise<ResultWith<F>>)

/** An index that a controller needs of the cache. */
export interface Index {
  readonly kind: AnyKind
  readonly name: string
  readonly valuesOf: IndexFunction<any>
}

/** One source of requests of a controller. */
export type Watch =
  | {
      readonly role: 'for' | 'owns' | 'watches'
      readonly kind: AnyKind
      readonly handler: Handler<any>
      readonly predicate?: Predicate<any> | undefined
    }
  | {
      readonly role: 'objects'
      readonly source: ObjectSource<any>
      readonly handler: Handler<any>
      readonly predicate?: Predicate<any> | undefined
    }
  | { readonly role: 'source'; readonly source: Source<ExternalEvent<any>>; readonly handler: Handler<any> }

/**
 * A controller as a value: what it watches and how it reconciles. It does nothing until a manager mounts
 * it, and can be mounted on any number of clusters.
 */
export interface Controller {
  readonly name: string
  /** The kind given to `for`. */
  readonly kind?: AnyKind | undefined
  readonly watches: readonly Watch[]
  /** The indexes that the cache must have before the controller runs. */
  readonly indexes: readonly Index[]
  /** The reads and writes that it has declared, for its role. */
  readonly access: readonly Access[]
  /** Further RBAC rules of its role. */
  readonly rules: readonly PolicyRule[]
  readonly options: ControllerOptions
  readonly reconcile: Reconcile<any, any>
}
