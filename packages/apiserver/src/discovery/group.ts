import type { Catalogue, Resource } from '../registry/index.ts'

/** An API group with its versions, the preferred first, and the resources of each by name. */
export interface Group {
  readonly name: string
  readonly versions: readonly GroupVersion[]
}

export interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly Resource[]
}

/** The groups that a catalogue serves, in its own order; the core group has the empty name. */
export function groupsOf(catalogue: Catalogue): Group[] {
  const groups = new Map<string, Map<string, Resource[]>>()
  for (const resource of catalogue.all()) {
    const versions = groups.get(resource.group) ?? new Map<string, Resource[]>()
    groups.set(resource.group, versions)
    const resources = versions.get(resource.version) ?? []
    versions.set(resource.version, resources)
    resources.push(resource)
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions].map(([version, resources]) => ({
      group: name,
      version,
      resources: resources.toSorted((a, b) => (a.plural < b.plural ? -1 : 1)),
    })),
  }))
}
