import type { AnyKind, KeyOf } from '@homeostat/api'

/**
 * Names the object to reconcile: all that a reconcile is told. It holds no event and no object, since any
 * of them could be old; what it needs, it reads.
 */
export type Request<K extends AnyKind = AnyKind> = KeyOf<K>
