import type { AnyKind, ObjectKey, ObjectOf } from '@homeostat/api'
import { changedMembers } from '../json/index.ts'
import type { IndexFunction } from './object-index.ts'

/**
 * A change of an object, as far as this process saw it: several changes may be merged into one event. The object is
 * parsed when a listener reads it, so an event whose object is not read costs little.
 */
export type ObjectEvent<K extends AnyKind = AnyKind> = {
  /** Names the object without reading it. */
  readonly key?: ObjectKey | undefined
  /** Tells this version of the object from others without reading it. */
  readonly identity?: { readonly uid: string; readonly resourceVersion: string } | undefined
} & ObjectChange<K>

/** The metadata of an updated object before the update. The rest of the old object is not read. */
export function metadataBefore<K extends AnyKind>(
  event: Extract<ObjectEvent<K>, { type: 'updated' }>,
): ObjectOf<K>['metadata'] {
  return event.metadataBefore ?? event.before.metadata
}

/** The names of the metadata fields that an update changed, such as `labels`. */
export function metadataChanged(event: Extract<ObjectEvent, { type: 'updated' }>): ReadonlySet<string> {
  return event.metadataChanged ?? changedMembers(event.before.metadata, event.object.metadata)
}

type ObjectChange<K extends AnyKind> =
  | {
      readonly type: 'added'
      readonly object: ObjectOf<K>
      /** Whether it came with the first list, rather than while watching. */
      readonly initial: boolean
    }
  | {
      readonly type: 'updated'
      readonly object: ObjectOf<K>
      readonly before: ObjectOf<K>
      /** The metadata of `before`, read without the rest of it. */
      readonly metadataBefore?: ObjectOf<K>['metadata'] | undefined
      /** The names of the metadata fields that differ, found without parsing either object. */
      readonly metadataChanged?: ReadonlySet<string> | undefined
    }
  | { readonly type: 'deleted'; readonly object: ObjectOf<K> }
  /** The regular resync: nothing changed. */
  | { readonly type: 'resync'; readonly object: ObjectOf<K> }

/**
 * Keeps a copy of all objects of a kind and tells listeners of changes.
 *
 * Events for one object come in order. A listener that is added late gets `added` (initial) for what is already
 * there. An object that was deleted and created again in the meantime is reported as `deleted` and `added`, never
 * as one update. Objects handed out are frozen: a listener cannot corrupt the copy.
 */
export interface Informer<K extends AnyKind = AnyKind> {
  readonly kind: K
  /** Whether the first list is complete. */
  readonly synced: boolean
  /**
   * Why the copy is not up to date now: the kind is not served, a right is missing, or the server cannot be
   * reached.
   */
  readonly problem?: Error | undefined
  /** Resolves when the first list is complete and its events were delivered. */
  whenSynced(options?: { signal?: AbortSignal | undefined }): Promise<void>
  get(key: ObjectKey): ObjectOf<K> | undefined
  list(options?: { namespace?: string | undefined }): readonly ObjectOf<K>[]
  listen(listener: (event: ObjectEvent<K>) => void): Disposable
}

/** The informers of one cluster, one for each kind, shared by all controllers. */
export interface Cache {
  /** The kind's informer; started if it is not running yet. */
  informer<K extends AnyKind>(kind: K): Informer<K>
  /** Indexes objects by the values that the function returns for each: lists find them by a field of that name. */
  index<K extends AnyKind>(kind: K, name: string, valuesOf: IndexFunction<ObjectOf<K>>): void
}
