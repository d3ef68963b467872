import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { Catalogue } from '../registry/resource.ts'
import { AGGREGATED_VERSIONS, aggregatedDiscovery, type AggregatedVersion } from './aggregated.ts'
import { cacheableAnswer, documentAnswer, statusAnswer } from './answer.ts'
import { digest } from './digest.ts'
import { groupsOf, type Group } from './group.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'
import { accepts, parseAccept } from './negotiate.ts'
import { OpenApiDocuments } from './openapi/documents.ts'
import { serveOpenApi } from './openapi/serve-openapi.ts'
import { VERSION, versionDocument, type VersionInfo } from './version.ts'

/** What has been made from a catalogue, as long as its revision stays. */
interface Made {
  revision: number
  groups: readonly Group[]
  /** Aggregated documents by path and version. */
  readonly aggregated: Map<string, { text: string; etag: string }>
  readonly openApi: OpenApiDocuments
}

const madeFrom = new WeakMap<Catalogue, Made>()

/**
 * Answers what a client asks about the server itself: which groups, versions and resources it serves, its
 * version, and its OpenAPI documents. Undefined for every other path. The documents follow the catalogue at
 * once, and are kept until its revision rises.
 */
export function discover(
  request: ApiRequest,
  catalogue: Catalogue,
  version: VersionInfo = VERSION,
): ApiResponse | undefined {
  const segments = request.path.replace(/\/$/, '').split('/').slice(1)
  const answer = route(request, segments, catalogue, version)
  return answer && request.method !== 'GET' ? statusAnswer(failure.methodNotAllowed()) : answer
}

function route(
  request: ApiRequest,
  segments: readonly string[],
  catalogue: Catalogue,
  version: VersionInfo,
): ApiResponse | undefined {
  const [root, first = '', second = ''] = segments
  switch (`${root} ${segments.length}`) {
    case 'api 1':
    case 'apis 1':
      return serverGroups(request, made(catalogue, version), root === 'api')
    case 'api 2':
      return resourceList(made(catalogue, version).groups, '', first)
    case 'apis 2':
      return oneGroup(made(catalogue, version).groups, first)
    case 'apis 3':
      return resourceList(made(catalogue, version).groups, first, second)
    case 'version 1':
      return documentAnswer(versionDocument(version))
    default:
      return root === 'openapi'
        ? serveOpenApi(request, made(catalogue, version).openApi, segments.slice(1))
        : undefined
  }
}

function made(catalogue: Catalogue, version: VersionInfo): Made {
  let current = madeFrom.get(catalogue)
  if (!current) {
    const openApi = new OpenApiDocuments(catalogue, version.gitVersion)
    current = { revision: Number.NaN, groups: [], aggregated: new Map(), openApi }
    madeFrom.set(catalogue, current)
  }
  if (current.revision !== catalogue.revision) {
    current.revision = catalogue.revision
    current.groups = groupsOf(catalogue)
    current.aggregated.clear()
  }
  return current
}

/** `/api` and `/apis`: aggregated where the client knows it, else the list of versions or groups alone. */
function serverGroups(request: ApiRequest, current: Made, core: boolean): ApiResponse {
  for (const clause of parseAccept(request.headers.accept)) {
    if (!accepts(clause, 'application/json')) continue
    const { as, g: group, v: version } = clause.parameters
    if (as === undefined && group === undefined && version === undefined) {
      return documentAnswer(
        core
          ? apiVersions(named(current.groups, '')?.versions ?? [], request.headers.host ?? 'localhost')
          : apiGroupList(current.groups.filter((group) => group.name !== '')),
      )
    }
    if (group === 'apidiscovery.k8s.io' && as === 'APIGroupDiscoveryList' && isAggregated(version)) {
      return aggregated(request, current, core, version)
    }
  }
  return statusAnswer(failure.notAcceptable(['application/json']))
}

function isAggregated(version: string | undefined): version is AggregatedVersion {
  return AGGREGATED_VERSIONS.some((known) => known === version)
}

function aggregated(
  request: ApiRequest,
  current: Made,
  core: boolean,
  version: AggregatedVersion,
): ApiResponse {
  const key = `${core} ${version}`
  let document = current.aggregated.get(key)
  if (!document) {
    const groups = current.groups.filter((group) => (group.name === '') === core)
    const text = JSON.stringify(aggregatedDiscovery(groups, version))
    document = { text, etag: `"${digest(text)}"` }
    current.aggregated.set(key, document)
  }
  return cacheableAnswer(request, document.text, {
    'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    'cache-control': 'public',
    etag: document.etag,
  })
}

function oneGroup(groups: readonly Group[], name: string): ApiResponse {
  const group = name === '' ? undefined : named(groups, name)
  return group ? documentAnswer(apiGroup(group)) : statusAnswer(failure.pathNotFound())
}

function resourceList(groups: readonly Group[], group: string, wanted: string): ApiResponse {
  const found = named(groups, group)?.versions.find(({ version }) => version === wanted)
  return found ? documentAnswer(apiResourceList(found)) : statusAnswer(failure.pathNotFound())
}

function named(groups: readonly Group[], name: string): Group | undefined {
  return groups.find((group) => group.name === name)
}
