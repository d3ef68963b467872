import type { Registry } from '../registry/index.ts'
import { reportUnavailable } from './api-service/availability.ts'
import { ContentCleanup } from './content-cleanup.ts'
import { serveCustomResources } from './custom-resource-definition/serve-definitions.ts'
import { followServices } from './endpoints/follow-services.ts'
import { expireEvents } from './event/expire-events.ts'

/** What the server does by itself about objects of some kinds. */
export interface FollowOptions {
  /** Whether namespaces that are being deleted are emptied. */
  readonly finalizeNamespaces: boolean
}

/**
 * Does from now on what follows from changes of some kinds: serves what CustomResourceDefinitions define, empties what is being
 * deleted, expires Events. Disposing the result stops its timers.
 */
export function followChanges(registry: Registry, { finalizeNamespaces }: FollowOptions): Disposable {
  // First, so that all that follows finds the catalogue as a changed definition says.
  serveCustomResources(registry)
  void new ContentCleanup(registry, { namespaces: finalizeNamespaces })
  followServices(registry)
  reportUnavailable(registry)
  return expireEvents(registry, registry.clock)
}
