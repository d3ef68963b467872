import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, type DiscoveryDocument, type WantedKind } from './kubernetes-source.ts'

/** The bodies and answers of some subresources: types, but no kinds with their own route. */
export const IN_SUBRESOURCES: readonly WantedKind[] = [
  { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  { group: 'policy', version: 'v1', kind: 'Eviction' },
]

/**
 * Every kind that a server serves unless it is told otherwise: those of the stable versions, the core group
 * first. Alpha and beta versions are off until an operator of the cluster turns them on.
 */
export function stableKinds(api: string): WantedKind[] {
  return readdirSync(join(api, 'discovery'))
    .map((file) => /^(?:api|apis__(?<group>.+))__(?<version>v\d+)\.json$/.exec(file))
    .filter((match) => match !== null)
    .map((match) => ({
      group: match.groups?.['group'] ?? '',
      version: match.groups!['version']!,
      resources: (readJson(join(api, 'discovery', match[0])) as DiscoveryDocument).resources,
    }))
    .sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version))
    .flatMap(({ group, version, resources }) =>
      resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ kind }) => ({ group, version, kind }))
        .sort((a, b) => compare(a.kind, b.kind)),
    )
}

/** A group as discovery lists it, its preferred version first. */
interface ListedGroup {
  readonly name: string
  readonly versions: readonly { readonly version: string }[]
}

/** The groups other than core in the order of their priority, as `/apis` lists them. */
export function groupsInOrder(api: string): readonly ListedGroup[] {
  return (readJson(join(api, 'discovery', 'apis.json')) as { groups: readonly ListedGroup[] }).groups
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
