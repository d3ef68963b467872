import type { Registry } from '../registry/index.ts'
import { ContentCleanup } from './content-cleanup.ts'
import { serveCustomResources } from './custom-resource-definition/serve-definitions.ts'
import { followServices } from './endpoints/follow-services.ts'
import { expireEvents } from './event/expire-events.ts'

/** Options of {@link followChanges}. */
export interface FollowChangesOptions {
  /** Whether the server deletes the content of namespaces that are being deleted. */
  readonly finalizeNamespaces: boolean
  /** How long Events are kept after their last write, in milliseconds. */
  readonly eventLifetime: number
}

/**
 * Reacts to changes of some kinds from now on: serves the resources of CustomResourceDefinitions, deletes the content
 * of namespaces and CRDs that are being deleted, deletes the Endpoints of deleted Services, and expires Events. Disposing the result stops its timers.
 */
export function followChanges(
  registry: Registry,
  { finalizeNamespaces, eventLifetime }: FollowChangesOptions,
): Disposable {
  // First, so that the other followers see the catalogue with the changed definition.
  serveCustomResources(registry)
  void new ContentCleanup(registry, { namespaces: finalizeNamespaces })
  followServices(registry)
  return expireEvents(registry, registry.clock, eventLifetime)
}
