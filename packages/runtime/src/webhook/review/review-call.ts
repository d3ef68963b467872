import type { Pausable } from '@homeostat/api'
import type { ResolvedEnvironment } from './environment.ts'

/** One call of a webhook, as it came over HTTP. */
export interface ReviewCall {
  readonly path: string
  readonly contentType: string
  readonly body: Uint8Array
  /** How long the API server waits, in milliseconds, if it said so. */
  readonly timeout: number | undefined
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal | undefined
  /** The caller in this process, which waits for the answer. */
  readonly waiting?: Pausable | undefined
  readonly environment: ResolvedEnvironment
  /** Counts a handler that failed by a mistake in its code. */
  panicked(): void
}
