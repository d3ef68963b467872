import type { ReconcileReport } from 'homeostat'
import type { ObjectReference } from '../stories/index.ts'
import type { Violation } from './declared-parts.ts'
import type { SentRequest, WrittenObject } from './operator-requests.ts'
import type { State } from './state.ts'

/** The outcome of a story. */
export interface Outcome {
  /** Everything that the operator wrote or the story created, as it was at the end. */
  readonly state: State
  /** The same objects, as the server has them. */
  readonly objects: readonly any[]
  /** The requests that the operator sent in the story, in order. */
  readonly requests: readonly SentRequest[]
  readonly written: readonly WrittenObject[]
  readonly reports: readonly ReconcileReport[]
  /** Why the story was not played to its end: the operator does not come to rest, or did what it must not. */
  readonly failure?: { readonly code: string; readonly message: string; readonly step: number } | undefined
  /** The server refused a step of the user: the story is invalid. */
  readonly refusal?: { readonly message: string; readonly step: number } | undefined
  /** How many faults of the story happened. */
  readonly faults: number
  /** An invariant of the author that did not hold at some moment. */
  readonly violation: Violation | undefined
  /** The state at the step `note`; `undefined` where the story has none. */
  readonly noted: State | undefined
  /** External systems as they were before the story. */
  readonly externalAtStart: State
  /** How long the story continued until that process started, because work of the last one was due; in simulated milliseconds. */
  readonly waitedForWork: number
  /** The objects that the process started by `restartAtEnd` changed; empty without that option. */
  readonly changedByRestart: readonly ObjectReference[]
  /** Whether another new process after it changed nothing more. */
  readonly isSettledByRestart: boolean
  /** The requests of the first of these processes. */
  readonly sentByRestart: readonly SentRequest[]
}
