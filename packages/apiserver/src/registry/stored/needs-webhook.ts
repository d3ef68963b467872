import { apiVersionOf } from '@homeostat/api'
import type { Stored } from '../../storage/index.ts'
import type { ResourceDescription } from '../resource/resource-description.ts'

/** Whether only a webhook can convert a stored object to the resource's version. */
export function needsWebhook(stored: Stored, resource: ResourceDescription): boolean {
  return resource.conversionWebhook !== undefined && stored.apiVersion !== apiVersionOf(resource)
}

/** Whether only a webhook can convert an object of the resource's version to the stored version. */
export function storesByWebhook({
  conversionWebhook,
  storageVersion,
  version,
}: ResourceDescription): boolean {
  return conversionWebhook !== undefined && storageVersion !== version
}
