import {
  checkOptionNames,
  optionNames,
  type AnyKind,
  type KubernetesObject,
  type ObjectOf,
} from '@homeostat/api'
import type { KeptOf, Selection } from '../requests/index.ts'
import type { IndexFunction } from './object-index.ts'

/**
 * Changes an object before it is kept, to keep less of it. It gets its own copy; the name, namespace, uid and
 * resourceVersion of the object stay as they were.
 */
export type Transform<O = KubernetesObject> = (object: O) => O

/**
 * Which objects of a kind the cache keeps, and which parts of them. {@link cacheKind} checks these options against
 * the kind's type.
 */
export interface KindCacheOptions extends Pick<Selection, 'labels' | 'fields'> {
  readonly kind: AnyKind
  /**
   * Keeps only the objects of these namespaces. Reads in other namespaces go to the server. Default: the namespaces
   * of the cache.
   */
  readonly namespaces?: readonly string[] | undefined
  /** Default: the cache's. */
  readonly transform?: Transform<any> | undefined
  /**
   * Indexes of the kind, by name: find objects with `informer.byIndex(name, value)`, or by the field of that name
   * in a list.
   */
  readonly indexes?: Readonly<Record<string, IndexFunction<any>>> | undefined
  /**
   * Whether a client's reads of the kind go to the server instead of the cache. Controllers can still watch the
   * kind. Default: false.
   */
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
    readonly transform?: Transform<KeptOf<K>> | undefined
    readonly indexes?: Readonly<Record<string, IndexFunction<ObjectOf<K>>>> | undefined
  },
): KindCacheOptions {
  checkOptionNames(options, KIND_CACHE_OPTIONS)
  return { ...options, kind }
}

/**
 * Keeps objects without their managed fields. This saves memory, but the client then sends every apply, and does not
 * notice contested fields.
 */
export function stripManagedFields<O extends KubernetesObject>(object: O): O {
  delete object.metadata.managedFields
  return object
}
