import type { Group } from './group.ts'
import { subresourcesOf } from './subresources.ts'
import type { Resource } from '../registry/resource.ts'

/** The versions of `apidiscovery.k8s.io` that aggregated discovery is served in. */
export const AGGREGATED_VERSIONS = ['v2', 'v2beta1'] as const
export type AggregatedVersion = (typeof AGGREGATED_VERSIONS)[number]

/** Everything that the groups serve in one document: what today's clients ask for first. */
export function aggregatedDiscovery(groups: readonly Group[], version: AggregatedVersion): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map(resourceDiscovery),
        freshness: 'Current',
      })),
    })),
  }
}

function resourceDiscovery(resource: Resource): object {
  const { group, version, kind } = resource
  const subresources = subresourcesOf(resource)
  return {
    resource: resource.plural,
    responseKind: { group, version, kind },
    scope: resource.scope,
    singularResource: resource.singular,
    verbs: resource.verbs.toSorted(),
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map(({ name, group, version, kind, verbs }) => ({
        subresource: name,
        responseKind: { group, version, kind },
        verbs,
      })),
    }),
  }
}
