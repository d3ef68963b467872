import type { AnyKind, KeyOf, ObjectOf } from '@homeostat/api'
import type { CacheFields } from '../client/index.ts'
import type { ReconcileContext, Result } from '../reconcile/index.ts'
import type { Reconcile } from './controller.ts'

/**
 * A reconcile that gets the object, read from the cache, instead of its name. It is not called for an object that
 * no longer exists.
 */
export function objectReconciler<K extends AnyKind, I = CacheFields>(
  kind: K,
  reconcile: (object: ObjectOf<K>, context: ReconcileContext<I>) => Result | Promise<Result>,
): Reconcile<KeyOf<K>, I> {
  return async (request, context) => {
    const object = await context.client.get(kind, request)
    return object && reconcile(object, context)
  }
}
