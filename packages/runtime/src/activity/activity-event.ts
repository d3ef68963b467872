import type { ObjectKey } from '@homeostat/api'
import type { Cause } from '../reconcile/index.ts'

/** One thing that a manager did. Everything in it is plain JSON, so that it can be sent to another process. */
export type ActivityEvent = { readonly sequence: number; readonly at: number } & Activities

/** An event before it gets a sequence number. */
export type Activities = ReconcileStarted | ReconcileEnded | QueueChanged

/** A worker has called the reconciler. */
export interface ReconcileStarted {
  readonly type: 'started'
  readonly controller: string
  /** The kind that the controller reconciles. Absent where it has none, and in recordings of older versions. */
  readonly apiVersion?: string | undefined
  readonly kind?: string | undefined
  readonly request: ObjectKey
  readonly reconcileID: string
  /** Why it runs: the first causes and the last one. */
  readonly causes: readonly Cause[]
  /** How many further causes were left out. */
  readonly omittedCauses: number
  /** For how many milliseconds the request was ready before a worker took it. */
  readonly waited: number
}

/** The reconciler has returned, thrown, or was given up. */
export interface ReconcileEnded {
  readonly type: 'ended'
  readonly controller: string
  readonly request: ObjectKey
  readonly reconcileID: string
  readonly result: 'success' | 'requeue' | 'requeueAfter' | 'conflict' | 'error' | 'terminal' | 'abandoned'
  /** In milliseconds. */
  readonly duration: number
  /** The message of the error. It is the reconciler's own text, shortened. */
  readonly error?: string | undefined
  /** The milliseconds until the object is reconciled again, unless an event comes earlier. */
  readonly next?: number | undefined
  /** Its writes, in order. */
  readonly writes: readonly RecordedWrite[]
  /** How many further writes were left out. */
  readonly omittedWrites: number
  /** Its reads, each object once, in order. Absent in recordings of older versions. */
  readonly reads?: readonly RecordedRead[] | undefined
  /** How many further reads were left out. */
  readonly omittedReads?: number | undefined
  /** The lines that it logged, in order. Absent in recordings of older versions. */
  readonly logs?: readonly RecordedLog[] | undefined
  /** How many further lines were left out. */
  readonly omittedLogs?: number | undefined
  /** The line of the operator's code that threw the error: `controller.ts:31:22`. */
  readonly line?: string | undefined
  /** Whether the object's reconciles cause each other in an endless loop. */
  readonly isLoop: boolean
  /** The id of its trace, where the manager has tracing. */
  readonly traceID?: string | undefined
}

/** A read of a reconcile, from the cache or from the server: of one object, or of a list where there is no name. */
export interface RecordedRead {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** A line that a reconcile logged. */
export interface RecordedLog {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  /** The fields of the line as JSON, shortened. Credentials and the data of Secrets are left out. */
  readonly fields?: string | undefined
}

/** A write of a reconcile. It names the fields that it changed, and holds no value of any object. */
export interface RecordedWrite {
  readonly verb: string
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly subresource?: string | undefined
  /**
   * Identifies, together with `resourceVersion`, the version that the write made. A watch of the kind has its
   * content.
   */
  readonly uid?: string | undefined
  readonly resourceVersion?: string | undefined
  /** The paths of the fields that it changed, at most 20. Absent where the cache did not have the object. */
  readonly fields?: readonly string[] | undefined
  /** Why the server refused it. */
  readonly error?: string | undefined
  /** The line of the operator's code that wrote: `controller.ts:31:22`. */
  readonly line?: string | undefined
}

/** The queue of a controller as it is now. */
export interface QueueChanged {
  readonly type: 'queue'
  readonly controller: string
  readonly running: number
  readonly ready: number
  readonly delayed: number
  /** The requests: those that run, then those that are ready, then those that wait, each in order of time. At most 100. */
  readonly requests: readonly QueuedRequest[]
}

/** One request of a queue. */
export interface QueuedRequest {
  readonly request: ObjectKey
  readonly state: 'running' | 'ready' | 'delayed'
  /** When it started, became ready or will be ready, in milliseconds since 1970. */
  readonly time: number
  readonly cause?: Cause | undefined
}
