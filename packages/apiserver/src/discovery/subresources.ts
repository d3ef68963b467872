import type { Resource } from '../registry/index.ts'
import type { NativeSubresource } from '../schema/index.ts'

const READ_AND_CHANGE = ['get', 'patch', 'update'] as const
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

/** The subresources of a resource, as discovery names them. */
export function subresourcesOf(resource: Resource): readonly NativeSubresource[] {
  const { group, version, kind, subresources, discoveredSubresources } = resource
  if (discoveredSubresources) return discoveredSubresources
  const found: NativeSubresource[] = []
  if (subresources.status) found.push({ name: 'status', group, version, kind, verbs: READ_AND_CHANGE })
  if (subresources.scale) {
    found.push({ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: READ_AND_CHANGE })
  }
  return found
}

/** The verbs of a resource in the order in which Kubernetes lists them. */
export function verbsOf(resource: Resource): readonly string[] {
  if (!resource.custom) return resource.verbs
  return CUSTOM_VERBS.filter((verb) => resource.verbs.includes(verb))
}
