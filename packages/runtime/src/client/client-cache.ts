import type { AnyKind, KeyOf, KubernetesObject, ObjectKey, ObjectOf, Pausable } from '@homeostat/api'
import type { ListOptions, RequestOptions } from './interface/client.ts'

/**
 * The cache that a client reads from. The client reports its own writes to the cache, so that later reads are never
 * older than these writes.
 */
export interface ClientCache {
  get<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    options?: RequestOptions & CacheWait,
  ): Promise<ObjectOf<K> | undefined>
  list<K extends AnyKind>(kind: K, options?: ListOptions & CacheWait): Promise<readonly ObjectOf<K>[]>
  /** Whether the cache has a copy of the kind's objects, so that the client must report writes to them. */
  keeps(kind: AnyKind): boolean
  /** Whether the cache has a copy of only the metadata of the kind's objects. */
  keepsMetadataOnly(kind: AnyKind): boolean
  /** The object as the cache has it now, without waiting for it. Default: the cache cannot tell. */
  peek?(kind: AnyKind, key: ObjectKey): KubernetesObject | undefined
  /** Takes in the object that the server returned for a write. */
  observeWrite(kind: AnyKind, object: KubernetesObject): void
  /** Records that this client has deleted the object. */
  observeDelete(kind: AnyKind, key: ObjectKey, uid: string | undefined): void
}

/** The caller that waits for the first list of a kind. */
export interface CacheWait {
  /** Paused while the caller waits for a first list: after a failure, time must pass before the list is repeated. */
  waiting?: Pausable | undefined
}
