/**
 * Copies of the objects of each kind, kept up to date by watches and shared by all controllers. They may be behind the
 * server, but never behind this process's own writes. All objects that the cache returns are frozen.
 */
export { checkCacheOptions, type CacheOptions, type InformerCacheOptions } from './cache-options.ts'
export { InformerCache } from './informer-cache.ts'
export { metadataBefore, metadataChanged, type Cache, type Informer, type ObjectEvent } from './informer.ts'
export { cacheKind, stripManagedFields, type KindCacheOptions, type Transform } from './kind-options.ts'
export type { IndexFunction } from './object-index.ts'
