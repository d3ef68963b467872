import type { AnyKind, KeyOf, ObjectOf } from '@homeostat/api'
import type { ReconcileContext, Result } from '../reconcile/index.ts'
import type { Reconcile } from './controller.ts'

/**
 * A reconcile that is given the object, read from the cache, instead of its name. It is not called for an
 * object that is gone.
 */
export function objectReconciler<K extends AnyKind>(
  kind: K,
  reconcile: (object: ObjectOf<K>, context: ReconcileContext) => Result | Promise<Result>,
): Reconcile<KeyOf<K>> {
  return async (request, context) => {
    const object = await context.client.get(kind, request)
    return object && reconcile(object, context)
  }
}
