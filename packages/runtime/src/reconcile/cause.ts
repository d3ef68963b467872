import type { ObjectKey } from '@homeostat/api'

/** The part of an object that an update changed, by a cheap comparison. */
export type ChangedPart = 'spec' | 'status' | 'labels' | 'annotations' | 'owners' | 'finalizers' | 'content'

/** Why a request was added, for logs and messages. A reconcile must not depend on it. */
export type Cause =
  /** The object existed when the controller started. */
  | { readonly type: 'start'; readonly kind: string; readonly object: ObjectKey }
  | { readonly type: 'created'; readonly kind: string; readonly object: ObjectKey }
  | {
      readonly type: 'updated'
      readonly kind: string
      readonly object: ObjectKey
      /** Empty where only the version changed. */
      readonly changed: readonly ChangedPart[]
    }
  /** A client has deleted the object, but finalizers keep it. */
  | { readonly type: 'deleting'; readonly kind: string; readonly object: ObjectKey }
  | { readonly type: 'deleted'; readonly kind: string; readonly object: ObjectKey }
  /** The regular resync. */
  | { readonly type: 'resync'; readonly kind: string; readonly object: ObjectKey }
  /** A channel or a timer sent an event. */
  | { readonly type: 'external'; readonly source: string; readonly note?: string | undefined }
  /** The last reconcile failed. `attempt` counts from 1 since the last success. */
  | { readonly type: 'retry'; readonly attempt: number; readonly error: string }
  /** The last reconcile's write lost a race. */
  | { readonly type: 'conflict'; readonly attempt: number; readonly error: string }
  /** The last reconcile asked to be called again. */
  | { readonly type: 'requeue' }
  | { readonly type: 'requeueAfter'; readonly milliseconds: number }
