import { apiVersionOf } from '@homeostat/api'
import { type Listed, type Resource, served } from '../../registry/index.ts'

/** The list as a document: for tables and YAML. */
export function listDocument(resource: Resource, listed: Listed): object {
  return {
    kind: resource.listKind,
    apiVersion: apiVersionOf(resource),
    metadata: listMeta(resource, listed),
    items: listed.entries.map((entry) => served(entry, resource)),
  }
}

/** The metadata of a list. Lists of custom kinds say that they are complete. */
export function listMeta(resource: Resource, listed: Listed): Record<string, unknown> {
  return {
    resourceVersion: String(listed.revision),
    ...(listed.continue === undefined
      ? resource.custom
        ? { continue: '' }
        : {}
      : { continue: listed.continue }),
    ...(listed.remaining === undefined ? {} : { remainingItemCount: listed.remaining }),
  }
}
