import type { KubernetesObject, ReadonlyFields } from '@homeostat/api'
import type { QueueChanged, QueuedRequest, ReconcileEnded, ReconcileStarted } from 'homeostat'
import type { RecordedStory } from './story.ts'

/** An object as it was at one time. */
export type RecordedObject = ReadonlyFields<KubernetesObject>

/** A kind by its names. */
export interface KindName {
  readonly apiVersion: string
  readonly kind: string
}

/** The operator started, or ended. */
export interface OperatorChanged {
  readonly type: 'operator'
  readonly name: string
  readonly isRunning: boolean
  /** The kinds at the top of the tree. */
  readonly kinds: readonly KindName[]
  /** Kinds whose objects stand there too unless another object owns them. Default: none. */
  readonly others?: readonly KindName[] | undefined
  /** What the page may do to it. */
  readonly actions: readonly OperatorAction[]
}

/** What a user may do to the operator itself. `step` lets one reconcile of a paused operator run. */
export const OPERATOR_ACTIONS = [
  'crash',
  'restart',
  'pause',
  'resume',
  'step',
  'api-normal',
  'api-slow',
  'api-failing',
] as const

export type OperatorAction = (typeof OPERATOR_ACTIONS)[number]

/** How the API answers the operator: as usual, late, or with an error to every second request. */
export type ApiState = 'normal' | 'slow' | 'failing'

/** What a user has set to keep the operator from its work. */
export interface Disturbance {
  readonly isPaused: boolean
  readonly api: ApiState
}

/** A user paused or resumed the operator, or changed how the API answers it. */
export interface DisturbanceChanged extends Disturbance {
  readonly type: 'disturbance'
}

/** An object that was created or changed. Values of Secrets are hidden in it. */
export interface ObjectChanged {
  readonly type: 'object'
  readonly object: RecordedObject
}

/** An object that is gone. */
export interface ObjectGone {
  readonly type: 'gone'
  readonly uid: string
}

/** A reconcile that started, with its causes as sentences. */
export interface StartedRun extends ReconcileStarted {
  readonly reasons: readonly string[]
}

/** A queue, with the cause of each request as a sentence. */
export interface QueueState extends QueueChanged {
  readonly requests: readonly (QueuedRequest & { readonly reason?: string | undefined })[]
}

/** What a recording consists of. */
export type Change =
  | ObjectChanged
  | ObjectGone
  | OperatorChanged
  | DisturbanceChanged
  | StartedRun
  | ReconcileEnded
  | QueueState

/** One thing that happened, in its place in the order. */
export type Entry = Change & {
  readonly sequence: number
  /** In milliseconds since 1970. */
  readonly at: number
}

/** Everything that is known at one moment. */
export interface Moment {
  readonly at: number
  readonly operator?: OperatorChanged | undefined
  /** Default: nothing disturbs the operator. */
  readonly disturbance?: Disturbance | undefined
  readonly objects: readonly RecordedObject[]
  readonly queues: readonly QueueState[]
  /** Reconciles that run. */
  readonly running: readonly (StartedRun & { readonly at: number })[]
}

/** What a page shows, live or from a file: a first moment, and what happened since. */
export interface Recording {
  readonly format: typeof FORMAT
  readonly start: Moment
  readonly entries: readonly Entry[]
  /** The story that the entries tell, if the recording is of a finding of `homeostat check`. */
  readonly story?: RecordedStory | undefined
}

/** Names the form of a recording. It changes when an older page could not show a newer recording. */
export const FORMAT = 'homeostat-recording/1'
