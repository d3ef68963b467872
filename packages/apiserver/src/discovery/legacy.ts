import { apiVersionOf } from '@homeostat/api'
import type { Group, GroupVersion } from './group.ts'
import type { Resource } from '../registry/index.ts'
import { storageVersionHash } from './storage-version-hash.ts'
import { subresourcesOf, verbsOf } from './subresources.ts'

/** The document at `/api`. `host` is the address at which the client reached the server. */
export function apiVersions(versions: readonly GroupVersion[], host: string): object {
  return {
    kind: 'APIVersions',
    versions: versions.map(({ version }) => version),
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }],
  }
}

/** The document at `/apis`. */
export function apiGroupList(groups: readonly Group[]): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupBody) }
}

/** The document at `/apis/<group>`. */
export function apiGroup(group: Group): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) }
}

function groupBody({ name, versions }: Group): object {
  const named = versions.map((version) => ({
    groupVersion: apiVersionOf(version),
    version: version.version,
  }))
  return { name, versions: named, preferredVersion: named[0] }
}

/** The document at `/api/v1` and `/apis/<group>/<version>`. */
export async function apiResourceList(
  groupVersion: GroupVersion,
  options: { readonly hashes: boolean },
): Promise<object> {
  const resources = await Promise.all(groupVersion.resources.map((resource) => entriesOf(resource, options)))
  return {
    kind: 'APIResourceList',
    ...(groupVersion.group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(groupVersion),
    resources: resources.flat(),
  }
}

/** The entry of a resource, and one for each of its subresources. */
async function entriesOf(resource: Resource, { hashes }: { readonly hashes: boolean }): Promise<object[]> {
  const namespaced = resource.scope === 'Namespaced'
  const hash = hashes ? await storageVersionHash(resource) : undefined
  return [
    {
      name: resource.plural,
      singularName: resource.singular,
      namespaced,
      kind: resource.kind,
      verbs: verbsOf(resource),
      ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
      ...(resource.categories.length > 0 && { categories: resource.categories }),
      ...(hash !== undefined && { storageVersionHash: hash }),
    },
    ...subresourcesOf(resource).map(({ name, group, version, kind, verbs }) => ({
      name: `${resource.plural}/${name}`,
      singularName: '',
      namespaced,
      // An entry has a group and version only where they differ from the list's.
      ...(group !== resource.group && { group, version }),
      kind,
      verbs,
    })),
  ]
}
