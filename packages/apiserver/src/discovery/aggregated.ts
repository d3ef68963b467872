import type { Resource } from '../registry/index.ts'
import type { Group, GroupVersion } from './group.ts'
import { subresourcesOf, verbsOf } from './subresources.ts'

/** All groups and resources in one document, which current clients request first. */
export function aggregatedDiscovery(groups: readonly Group[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(versionDiscovery),
    })),
  }
}

function versionDiscovery({ version, resources, extension }: GroupVersion): object {
  if (!extension) return { version, resources: resources.map(resourceDiscovery), freshness: 'Current' }
  return {
    version,
    ...(extension.resources.length > 0 && { resources: extension.resources }),
    freshness: extension.fresh ? 'Current' : 'Stale',
  }
}

function resourceDiscovery(resource: Resource): object {
  const subresources = subresourcesOf(resource)
  return {
    resource: resource.plural,
    responseKind: responseKind(resource, resource),
    scope: resource.scope,
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => ({
        subresource: subresource.name,
        responseKind: responseKind(resource, subresource),
        verbs: subresource.verbs,
      })),
    }),
  }
}

/** The kind in requests and answers. Native resources leave out the group and version where these are their own. */
function responseKind(
  resource: Resource,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): object {
  const own = group === resource.group && version === resource.version
  return own && !resource.custom ? { group: '', version: '', kind } : { group, version, kind }
}
