import { compareKindVersions } from '@homeostat/api'
import type { Catalogue, Resource } from '../registry/index.ts'
import type { Extensions, ExtensionVersion } from './extensions/extensions.ts'

/** An API group with its versions, the preferred first, and the resources of each by name. */
export interface Group {
  readonly name: string
  readonly versions: readonly GroupVersion[]
}

export interface GroupVersion {
  readonly group: string
  readonly version: string
  readonly resources: readonly Resource[]
  /** The resources of another API server that serves this version; they replace this server's. */
  readonly extension?: ExtensionVersion | undefined
}

/**
 * The groups that a catalogue and other API servers serve. Where other servers have groups, the priorities of all groups decide the
 * order; otherwise it is that of the catalogue. The core group has the empty name.
 */
export function groupsOf(catalogue: Catalogue, extensions?: Extensions): Group[] {
  const own = catalogueGroups(catalogue)
  const others = extensions?.versions() ?? []
  return extensions && others.length > 0 ? merged(own, others, extensions) : own
}

function catalogueGroups(catalogue: Catalogue): Group[] {
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

function merged(own: readonly Group[], others: readonly ExtensionVersion[], extensions: Extensions): Group[] {
  const all = new Map(
    own.flatMap(({ versions }) => versions).map((one) => [`${one.group}/${one.version}`, one]),
  )
  for (const extension of others) {
    const { group, version } = extension
    all.set(`${group}/${version}`, { group, version, resources: [], extension })
  }
  const byGroup = Map.groupBy(all.values(), ({ group }) => group)
  const rankOf = (versions: readonly GroupVersion[]): number =>
    versions.reduce((most, version) => Math.max(most, extensions.priorityOf(version).group), 0)
  return [...byGroup]
    .map(([name, versions]) => ({
      group: {
        name,
        versions: versions.toSorted(
          (a, b) =>
            extensions.priorityOf(b).version - extensions.priorityOf(a).version ||
            compareKindVersions(a.version, b.version),
        ),
      },
      rank: rankOf(versions),
    }))
    .sort((a, b) => b.rank - a.rank || (a.group.name < b.group.name ? -1 : 1))
    .map(({ group }) => group)
}
