import type { ClientCache } from './client-cache.ts'

/**
 * The cache, with a callback for each write. The callback gets the version that the write produced, or the uid that
 * it deleted.
 */
export function observedCache(
  cache: ClientCache,
  caller: { readonly afterWrite?: ((version: string) => void) | undefined },
): ClientCache {
  if (!caller.afterWrite) return cache
  return {
    get: (kind, key, options) => cache.get(kind, key, options),
    list: (kind, options) => cache.list(kind, options),
    keeps: (kind) => cache.keeps(kind),
    keepsMetadataOnly: (kind) => cache.keepsMetadataOnly(kind),
    peek: (kind, key) => cache.peek?.(kind, key),
    observeWrite(kind, object) {
      caller.afterWrite?.(object.metadata.resourceVersion)
      cache.observeWrite(kind, object)
    },
    observeDelete(kind, key, uid) {
      if (uid !== undefined) caller.afterWrite?.(uid)
      cache.observeDelete(kind, key, uid)
    },
  }
}
