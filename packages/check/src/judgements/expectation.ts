import type { ObjectReference } from '../stories/index.ts'

/** The state in which a story must end. */
export type Expectation =
  /** The state that the reference leads to. */
  | { readonly type: 'same' }
  /**
   * At least everything that the reference leads to. With `isSpared`, the last process of the operator must not have
   * deleted any of it, even if it created it again. With `toldBy`, something may be missing if the status of this
   * object, or an error, says why.
   */
  | {
      readonly type: 'contains'
      readonly isSpared?: true
      readonly toldBy?: ObjectReference
    }
  /** Nothing that the operator made is left, and the object itself is gone. */
  | { readonly type: 'gone'; readonly object: ObjectReference; readonly keeps: readonly string[] }
  /**
   * The state that the reference leads to, or a message of the operator that says why not: in the status of the object,
   * or in an error. If an object has lost its owner reference, the operator may be right not to take it over.
   */
  | { readonly type: 'healed or told'; readonly object: ObjectReference }
  /**
   * The state that the reference leads to, and the last process of the operator has deleted none of these objects. A
   * deleted object loses its data, even if the operator creates it again.
   */
  | { readonly type: 'spared'; readonly objects: readonly string[] }
  /** This object is as the reference leaves it. */
  | { readonly type: 'kept'; readonly object: ObjectReference }
  /**
   * The state that the reference leads to, if the status of this object says that the operator has acted on its last
   * change.
   */
  | { readonly type: 'not ahead'; readonly object: ObjectReference }
  /** No more objects, list items or text than after the reference, which repeats the same steps half as often. */
  | { readonly type: 'bounded' }
  /**
   * A status of this object that does not say "ready" while a workload of the operator is not ready. With `ifCurrent`,
   * a status counts only if it also says that the operator has acted on the last change.
   */
  | { readonly type: 'not ready'; readonly object: ObjectReference; readonly ifCurrent?: true }
  /** At the end each value is the same as at the step `note`, except values that change in the reference too. */
  | { readonly type: 'steady' }
  /** This object is being deleted, and waits only for this finalizer of another controller. */
  | { readonly type: 'held'; readonly object: ObjectReference; readonly finalizer: string }
  /** No reconcile is still under way that has lasted for minutes. The story ends with the operator stopped. */
  | { readonly type: 'ends' }
  /** Every request of the operator is allowed by the rights that it declares. */
  | { readonly type: 'allowed' }
