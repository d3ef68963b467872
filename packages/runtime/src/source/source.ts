import type { Clock } from '@homeostat/api'
import type { Cache } from '../cache/index.ts'

/** What a source may use. Everything that it starts ends when the signal aborts. */
export interface SourceContext {
  readonly cache: Cache
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Where events come from. A source is a value that can be started many times, on one cluster or on
 * several, each start on its own.
 */
export interface Source<E> {
  /** For logs and causes: `channel pushes`, `timer every 1h`. */
  readonly name: string
  /**
   * Gives each event to `emit`, in order. Resolves when everything that was there at the start has been
   * given; rejects with the signal's reason when that aborts first.
   */
  start(context: SourceContext, emit: (event: E) => void): Promise<void>
}

/** Something that happened outside of the cluster. */
export interface ExternalEvent<T> {
  readonly value: T
  /** What happened, for people to read. */
  readonly note?: string | undefined
}
