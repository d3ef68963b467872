import type { ObjectKey } from '@homeostat/api'
import type { Logger } from './logger.ts'

/**
 * A callback that threw without stopping the manager. If a mapping throws, the event is mapped again later. If a
 * predicate throws, the event passes. If an index function throws, the object is not in the index. If a transform
 * throws, the object is kept unchanged. A reconcile that throws is in `ReconcileReport`.
 */
export interface CallbackFailure {
  readonly callback: 'mapping' | 'predicate' | 'index' | 'transform'
  readonly error: unknown
  /** Absent for callbacks of a cache, which all controllers share. */
  readonly controller?: string | undefined
  /** The name of the index. */
  readonly index?: string | undefined
  /** The kind and the object that the function was called with; absent for a channel or a timer. */
  readonly kind?: string | undefined
  readonly object?: ObjectKey | undefined
  /** The channel or the timer whose event it was. */
  readonly source?: string | undefined
  /** In how many milliseconds it is called again. */
  readonly retryIn?: number | undefined
}

/** Called with each {@link CallbackFailure}. */
export type CallbackFailureListener = (failure: CallbackFailure) => void

/** Calls the listener, if there is one. An error that it throws is logged. */
export function tellCallbackFailure(
  listener: CallbackFailureListener | undefined,
  failure: CallbackFailure,
  log: Logger,
): void {
  try {
    listener?.(failure)
  } catch (error) {
    log.error({ error }, 'onCallbackFailure failed')
  }
}
