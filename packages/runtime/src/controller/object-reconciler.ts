import type { AnyKind, KeyOf, ObjectOf } from '@homeostat/api'
import type { CacheFields } from '../client/index.ts'
import type { ResultField } from '../reconcile/index.ts'
import type { CheckedReconcile, Reconcile } from './controller.ts'

/**
 * A reconcile that gets the object, read from the cache, instead of its name. It is not called for an object that
 * no longer exists.
 */
export function objectReconciler<K extends AnyKind, I = CacheFields, F extends string = ResultField>(
  kind: K,
  reconcile: CheckedReconcile<ObjectOf<K>, I, F>,
): Reconcile<KeyOf<K>, I> {
  return async (request, context) => {
    const object = await context.client.get(kind, request)
    return object && reconcile(object, context)
  }
}
