import {
  checkOptionNames,
  optionNames,
  type AnyKind,
  type KubernetesObject,
  type MutableOf,
  type ObjectOf,
} from '@homeostat/api'
import type { Selection } from '../requests/index.ts'
import type { IndexFunction } from './object-index.ts'

/**
 * Changes an object before it is kept, to keep less of it. It gets a copy of its own; what identifies the
 * object (name, namespace, uid, resourceVersion) stays as it was.
 */
export type Transform<O = KubernetesObject> = (object: O) => O

/** What of a kind is kept, and how. {@link cacheKind} makes one that is checked against the kind's type. */
export interface KindCacheOptions extends Pick<Selection, 'labels' | 'fields'> {
  readonly kind: AnyKind
  /** Only the objects of these namespaces. Reads in others go to the server. Default: the cache's. */
  readonly namespaces?: readonly string[] | undefined
  /** Default: the cache's. */
  readonly transform?: Transform<any> | undefined
  /** Values to find objects by: `informer.byIndex(name, value)`, or the field of that name in a list. */
  readonly indexes?: Readonly<Record<string, IndexFunction<any>>> | undefined
  /** Whether a client's reads go to the server all the same. Controllers can still watch it. Default: false. */
  readonly readLive?: boolean | undefined
}

export const KIND_CACHE_OPTIONS = optionNames<KindCacheOptions>('cacheKind', {
  kind: true,
  labels: true,
  fields: true,
  namespaces: true,
  transform: true,
  indexes: true,
  readLive: true,
})

/** The options of one kind: `kinds: [cacheKind(Pod, { labels: { app: 'web' } })]`. */
export function cacheKind<K extends AnyKind>(
  kind: K,
  options: Omit<KindCacheOptions, 'kind' | 'transform' | 'indexes'> & {
    readonly transform?: Transform<MutableOf<K>> | undefined
    readonly indexes?: Readonly<Record<string, IndexFunction<ObjectOf<K>>>> | undefined
  },
): KindCacheOptions {
  checkOptionNames(options, KIND_CACHE_OPTIONS)
  return { ...options, kind }
}

/** Keeps objects without their managed fields: less memory, but every apply is then sent, and contested fields go unnoticed. */
export function stripManagedFields<O extends KubernetesObject>(object: O): O {
  delete object.metadata.managedFields
  return object
}
