import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { Catalogue } from '../registry/index.ts'
import { aggregatedDiscovery } from './aggregated.ts'
import { cacheableAnswer, documentAnswer, plainAnswer, statusAnswer, textAnswer } from './answer/answer.ts'
import { digest } from './answer/digest.ts'
import { groupsOf, type Group } from './group.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'
import { accepts, MEDIA_TYPES, parseAccept, type AcceptClause } from './answer/negotiate.ts'
import { OpenApiDocuments } from './openapi/documents.ts'
import { serveOpenApi } from './openapi/serve-openapi.ts'
import { VERSION, versionDocument, type VersionInfo } from '../version/index.ts'

/** What has been made from a catalogue, as long as its revision stays. */
interface Made {
  revision: number
  groups: readonly Group[]
  /** The aggregated document of the core group (true) and of the others. */
  readonly aggregated: Map<boolean, { text: string; etag: string }>
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
): ApiResponse | Promise<ApiResponse> | undefined {
  const segments = request.path.replace(/\/$/, '').split('/').slice(1)
  const answer = route(request, segments, catalogue, version)
  return answer && request.method !== 'GET' ? statusAnswer(failure.methodNotAllowed()) : answer
}

function route(
  request: ApiRequest,
  segments: readonly string[],
  catalogue: Catalogue,
  version: VersionInfo,
): ApiResponse | Promise<ApiResponse> | undefined {
  const [root, first = '', second = ''] = segments
  switch (`${root} ${segments.length}`) {
    case 'api 1':
    case 'apis 1':
      return serverGroups(request, made(catalogue, version), root === 'api')
    case 'api 2':
      return resourceList(request, made(catalogue, version).groups, '', first)
    case 'apis 2':
      return oneGroup(request, made(catalogue, version).groups, first)
    case 'apis 3':
      return resourceList(request, made(catalogue, version).groups, first, second)
    case 'version 1':
      return plainAnswer(request, versionDocument(version))
    default:
      return root === 'openapi'
        ? serveOpenApi(request, made(catalogue, version).openApi, segments.slice(1))
        : undefined
  }
}

function made(catalogue: Catalogue, version: VersionInfo): Made {
  let current = madeFrom.get(catalogue)
  if (!current) {
    const openApi = new OpenApiDocuments(catalogue, `${version.major}.${version.minor}`)
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

/** `/api` and `/apis`: aggregated where the client prefers it, else the list of versions or groups alone. */
function serverGroups(request: ApiRequest, current: Made, core: boolean): ApiResponse | Promise<ApiResponse> {
  const [first] = parseAccept(request.headers.accept).filter(isKnownForm)
  if (first?.parameters['as'] !== undefined) return aggregated(request, current, core)
  return documentAnswer(
    request,
    core
      ? apiVersions(named(current.groups, '')?.versions ?? [], request.headers.host ?? 'localhost')
      : apiGroupList(current.groups.filter((group) => group.name !== '')),
  )
}

/** Whether a form of discovery is served: the aggregated one, or without any more words the old one. */
function isKnownForm(clause: AcceptClause): boolean {
  const { as, g: group, v: version } = clause.parameters
  if (as === undefined && group === undefined && version === undefined) {
    return [...MEDIA_TYPES].some((type) => accepts(clause, type))
  }
  const aggregated = group === 'apidiscovery.k8s.io' && as === 'APIGroupDiscoveryList' && version === 'v2'
  return aggregated && accepts(clause, 'application/json')
}

async function aggregated(request: ApiRequest, current: Made, core: boolean): Promise<ApiResponse> {
  let document = current.aggregated.get(core)
  if (!document) {
    const groups = current.groups.filter((group) => (group.name === '') === core)
    const text = JSON.stringify(aggregatedDiscovery(groups))
    const { revision } = current
    document = { text, etag: `"${await digest(text)}"` }
    if (current.revision === revision) current.aggregated.set(core, document)
  }
  return cacheableAnswer(request, document.text, {
    'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    'cache-control': 'public',
    etag: document.etag,
  })
}

function oneGroup(request: ApiRequest, groups: readonly Group[], name: string): ApiResponse {
  const group = name === '' ? undefined : named(groups, name)
  return group ? documentAnswer(request, apiGroup(group)) : notFound()
}

async function resourceList(
  request: ApiRequest,
  groups: readonly Group[],
  group: string,
  wanted: string,
): Promise<ApiResponse> {
  const found = named(groups, group)
  const version = found?.versions.find(({ version }) => version === wanted)
  if (version) return documentAnswer(request, await apiResourceList(version))
  // A native group answers for all versions, also those that it does not have.
  const native = found?.versions.some(({ resources }) => resources.some(({ custom }) => !custom))
  return native ? statusAnswer(failure.pathNotFound()) : notFound()
}

function notFound(): ApiResponse {
  return textAnswer(404, '404 page not found\n')
}

function named(groups: readonly Group[], name: string): Group | undefined {
  return groups.find((group) => group.name === name)
}
