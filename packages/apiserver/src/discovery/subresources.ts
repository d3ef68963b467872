import type { Resource } from '../registry/resource.ts'

/** A subresource as discovery names it, with the kind that it answers with. */
export interface Subresource {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}

const READ_AND_CHANGE = ['get', 'patch', 'update'] as const

/** What is served below an object of the resource, by name. */
export function subresourcesOf(resource: Resource): Subresource[] {
  const { group, version, kind, subresources } = resource
  const found: Subresource[] = []
  if (subresources.scale) {
    found.push({ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: READ_AND_CHANGE })
  }
  if (subresources.status) found.push({ name: 'status', group, version, kind, verbs: READ_AND_CHANGE })
  return found
}
