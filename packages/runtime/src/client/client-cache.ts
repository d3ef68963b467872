import type { AnyKind, KeyOf, KubernetesObject, ObjectKey, ObjectOf, Pausable } from '@homeostat/api'
import type { ListOptions, RequestOptions } from './client.ts'

/**
 * What a client asks of a cache, and tells it. The cache reads in place of the server; the client tells
 * it of its own writes, so that reads are never older than they are.
 */
export interface ClientCache {
  get<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    options?: RequestOptions & CacheWait,
  ): Promise<ObjectOf<K> | undefined>
  list<K extends AnyKind>(kind: K, options?: ListOptions & CacheWait): Promise<readonly ObjectOf<K>[]>
  /** Whether it has a copy of the kind's objects, so that it must be told of writes to them. */
  keeps(kind: AnyKind): boolean
  /** Whether the metadata of the kind's objects is all that it has a copy of. */
  keepsMetadataOnly(kind: AnyKind): boolean
  /** This came back from a write. */
  observeWrite(kind: AnyKind, object: KubernetesObject): void
  /** This object is gone, by our own doing. */
  observeDelete(kind: AnyKind, key: ObjectKey, uid: string | undefined): void
}

/** What waits for the first list of a kind. */
export interface CacheWait {
  /** It pauses meanwhile, because a list that fails is repeated after some time. */
  waiting?: Pausable | undefined
}
