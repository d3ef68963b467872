import type { Registry } from '../state/registry.ts'
import type { Place } from '../request/target.ts'
import { served } from '../stored/served.ts'
import type { Written } from './written.ts'

/**
 * The result of a write in the version of the request. As in Kubernetes it is what a client would read: where a webhook
 * converts, the stored object is converted back.
 */
export function inRequestedVersion(
  registry: Registry,
  place: Place,
  written: Written,
): Written | Promise<Written> {
  const { resource } = place
  const { object, stored, created, gone } = written
  if (resource.conversionWebhook === undefined || gone) return written
  if (stored) {
    const readable = registry.conversions.readAgain(stored, place)
    if (!(readable instanceof Promise)) return written
    return readable.then((entry) => ({ object: served(entry, resource), stored: entry, created, gone }))
  }
  const requested = registry.conversions.toRequested(object, place)
  return requested ? requested.then((converted) => ({ object: converted, created, gone })) : written
}
