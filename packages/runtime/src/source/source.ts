import type { Clock } from '@homeostat/api'
import type { Cache } from '../cache/index.ts'

/** The context of a source. Everything that a source starts ends when the signal aborts. */
export interface SourceContext {
  readonly cache: Cache
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * A source of events. It is a value that can be started many times, on one cluster or on several; each start is
 * independent.
 */
export interface Source<E> {
  /** For logs and causes: `channel pushes`, `timer every 1h`. */
  readonly name: string
  /**
   * Calls `emit` with each event, in order. Resolves when it has emitted everything that existed at the start;
   * rejects with the signal's reason if it aborts first.
   */
  start(context: SourceContext, emit: (event: E) => void): Promise<void>
}

/** An event from outside the cluster. */
export interface ExternalEvent<T> {
  readonly value: T
  /** A description of the event for logs. */
  readonly note?: string | undefined
}
