import type { AnyKind, KeyOf } from '@homeostat/api'

/**
 * Names the object to reconcile. It holds no event and no object, since either could be stale: a reconcile reads what
 * it needs.
 */
export type Request<K extends AnyKind = AnyKind> = KeyOf<K>
