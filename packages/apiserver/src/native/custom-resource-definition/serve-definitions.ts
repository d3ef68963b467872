import {
  collectionOf,
  loadWrites,
  type Registry,
  type Resource,
  type ServerObject,
  storedObject,
} from '../../registry/index.ts'
import { equalJson } from '../../schema/index.ts'
import { isEstablished } from './conditions.ts'
import { resourcesOf } from './defined-resources.ts'
import { DEFINITIONS, summaryOf, waits } from './definition-summaries.ts'
import { updateConditions } from './update-conditions.ts'

/** The finalizer that keeps a CRD until its objects are deleted. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

/** Keeps the catalogue in step with the CRDs from now on. */
export function serveCustomResources(registry: Registry): void {
  for (const stored of registry.store.snapshot({ collection: DEFINITIONS })) {
    serve(registry, stored.key, storedObject(stored))
  }
  registry.observe(({ resource, key, entry, previous }) => {
    if (collectionOf(resource) !== DEFINITIONS) return
    checkSoon(registry, resource, definitionsToCheck(registry, key, entry && storedObject(entry)))
    const [now, before] = [entry && storedObject(entry), previous && storedObject(previous)]
    if (
      now &&
      before &&
      equalJson(now['spec'], before['spec']) &&
      isEstablished(now) === isEstablished(before)
    )
      return
    serve(registry, key, now)
  })
}

/**
 * After a write, checks the CRD's names if they are not accepted yet. After a deletion, checks the CRDs that may get
 * its names.
 */
function definitionsToCheck(registry: Registry, key: string, now: ServerObject | undefined): string[] {
  if (now) return waits(now) ? [key] : []
  return registry.store
    .snapshot({ collection: DEFINITIONS })
    .filter((stored) => summaryOf(stored).waits)
    .map((stored) => stored.key)
}

/** Schedules the check of a CRD that was written, or that waited for the names of a deleted one. */
function checkSoon(registry: Registry, resource: Resource, keys: readonly string[]): void {
  if (keys.length === 0) return
  registry.soon('names of custom resources', async () => {
    const loading = loadWrites(registry)
    if (loading) await loading
    for (const key of keys) updateConditions(registry, resource, key)
  })
}

function serve(registry: Registry, name: string, definition: ServerObject | undefined): void {
  registry.catalogue.define(name, definition && isEstablished(definition) ? resourcesOf(definition) : [])
  for (const watch of registry.watches) watch.recheck()
}
