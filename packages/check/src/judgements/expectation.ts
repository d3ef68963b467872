import type { ObjectReference } from '../stories/index.ts'

/** What a story must lead to. */
export type Expectation =
  /** The state that the reference leads to. */
  | { readonly type: 'same' }
  /**
   * Everything that the reference leads to, and perhaps more. Where `isSpared` is set, the last process of the operator has deleted
   * nothing of it, even if it comes back. Where `toldBy` is set, the status of this object may say why not, or an error.
   */
  | {
      readonly type: 'contains'
      readonly isSpared?: true
      readonly toldBy?: ObjectReference
    }
  /** Nothing that the operator made is left, and the object itself is gone. */
  | { readonly type: 'gone'; readonly object: ObjectReference; readonly keeps: readonly string[] }
  /**
   * The state that the reference leads to, or an operator that says why not: in the status of the object or by an error. An object
   * without its owner may be one that the operator must not take.
   */
  | { readonly type: 'healed or told'; readonly object: ObjectReference }
  /**
   * The state that the reference leads to, of which the last process of the operator has deleted none of these objects: what it
   * deletes loses its data, even if it comes back.
   */
  | { readonly type: 'spared'; readonly objects: readonly string[] }
  /** This object is as the reference leaves it. */
  | { readonly type: 'kept'; readonly object: ObjectReference }
  /** The state that the reference leads to, if the status of this object says that its last change was acted on. */
  | { readonly type: 'not ahead'; readonly object: ObjectReference }
  /** No more objects, list items or text than the reference leads to, which does the same half as often. */
  | { readonly type: 'bounded' }
  /**
   * A status of this object that does not say that it is ready, while a workload of the operator is not. `ifCurrent` looks only
   * at a status that also says that the last change was acted on.
   */
  | { readonly type: 'not ready'; readonly object: ObjectReference; readonly ifCurrent?: true }
  /** At the end each value is what it was at the step `note`, except those that the reference changes as well. */
  | { readonly type: 'steady' }
  /** This object is being deleted and waits for this finalizer of another controller alone. */
  | { readonly type: 'held'; readonly object: ObjectReference; readonly finalizer: string }
  /** Every request of the operator is allowed by the rights that it declares. */
  | { readonly type: 'allowed' }
