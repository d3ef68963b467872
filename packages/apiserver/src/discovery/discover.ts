import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { Catalogue } from '../registry/index.ts'
import { aggregatedDiscovery } from './aggregated.ts'
import { cacheableAnswer, documentAnswer, plainAnswer, statusAnswer, textAnswer } from './answer/answer.ts'
import { digest } from './answer/digest.ts'
import type { Extensions } from './extensions/extensions.ts'
import { groupsOf, type Group } from './group.ts'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts'
import { accepts, MEDIA_TYPES, parseAccept, type AcceptClause } from './answer/negotiate.ts'
import type { OpenApiDocuments } from './openapi/documents.ts'
import type { SwaggerDocument } from './swagger/swagger-document.ts'
import {
  DEFAULT_RELEASE,
  versionDocument,
  versionOf,
  type OptionalFeature,
  type Release,
  type VersionInfo,
} from '../version/index.ts'

/** The documents of one revision of the catalogue. */
interface CachedDocuments {
  readonly revision: number
  readonly extensionsRevision: number | undefined
  readonly groups: readonly Group[]
  /** The aggregated document of the core group (true) and of the others. */
  readonly aggregated: Map<boolean, { text: string; etag: string }>
}

/**
 * Answers requests about the server itself: its groups, versions and resources, its own version, and its OpenAPI
 * documents. The documents follow the catalogue at once, and are cached until its revision rises.
 */
export class Discovery {
  readonly #catalogue: Catalogue
  readonly #version: VersionInfo
  readonly #hashes: boolean
  readonly #extensions: Extensions | undefined
  readonly #release: Release
  #openApi: OpenApiDocuments | undefined
  #swagger: SwaggerDocument | undefined
  #current: CachedDocuments | undefined

  constructor(
    catalogue: Catalogue,
    release: Release = DEFAULT_RELEASE,
    disabledFeatures: ReadonlySet<OptionalFeature> = new Set(),
    extensions?: Extensions,
  ) {
    this.#catalogue = catalogue
    this.#release = release
    this.#version = versionOf(release)
    this.#extensions = extensions
    this.#hashes = !disabledFeatures.has('StorageVersionHash')
  }

  /** Undefined for a path that is not about the server itself. */
  answer(request: ApiRequest): ApiResponse | Promise<ApiResponse> | undefined {
    const segments = request.path.replace(/\/$/, '').split('/').slice(1)
    const answer = this.#route(request, segments)
    return answer && request.method !== 'GET' ? statusAnswer(failure.methodNotAllowed()) : answer
  }

  #route(request: ApiRequest, segments: readonly string[]): ApiResponse | Promise<ApiResponse> | undefined {
    const [root, first = '', second = ''] = segments
    switch (`${root} ${segments.length}`) {
      case 'api 1':
      case 'apis 1':
        return serverGroups(request, this.#made(), root === 'api')
      case 'api 2':
        return this.#resourceList(request, '', first)
      case 'apis 2':
        return oneGroup(request, this.#made().groups, first)
      case 'apis 3':
        return this.#resourceList(request, first, second)
      case 'version 1':
        return plainAnswer(request, versionDocument(this.#version))
      default:
        if (request.path === '/openapi/v2') return this.#serveSwagger(request)
        return root === 'openapi' ? this.#serveOpenApi(request, segments.slice(1)) : undefined
    }
  }

  /** The paths of all groups and versions, as `/` lists them. */
  paths(): string[] {
    const { groups } = this.#made()
    return groups.flatMap(({ name, versions }) =>
      name === ''
        ? versions.map(({ version }) => `/api/${version}`)
        : [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)],
    )
  }

  /** Controllers request no OpenAPI: its modules are loaded on first use. */
  async #serveOpenApi(request: ApiRequest, segments: readonly string[]): Promise<ApiResponse> {
    const [{ serveOpenApi }, { OpenApiDocuments }, { nativeDocumentsOf }] = await Promise.all([
      import('./openapi/serve-openapi.ts'),
      import('./openapi/documents.ts'),
      import('./openapi/native-documents.ts'),
    ])
    const { major, minor } = this.#version
    const native = nativeDocumentsOf(this.#release)
    this.#openApi ??= new OpenApiDocuments(this.#catalogue, native, `${major}.${minor}`)
    return serveOpenApi(request, this.#openApi, segments, this.#extensions?.openApi() ?? new Map())
  }

  async #resourceList(request: ApiRequest, group: string, wanted: string): Promise<ApiResponse> {
    const found = named(this.#made().groups, group)
    const version = found?.versions.find(({ version }) => version === wanted)
    if (version) return documentAnswer(request, await apiResourceList(version, { hashes: this.#hashes }))
    // A native group answers a missing version with a Status, other groups with plain text.
    const native = found?.versions.some(({ resources }) => resources.some(({ custom }) => !custom))
    return native ? statusAnswer(failure.pathNotFound()) : notFound()
  }

  /** Few clients request OpenAPI v2: its modules are loaded on first use. */
  async #serveSwagger(request: ApiRequest): Promise<ApiResponse> {
    const [{ serveSwagger }, { SwaggerDocument }, { nativeDocumentsOf }] = await Promise.all([
      import('./swagger/serve-swagger.ts'),
      import('./swagger/swagger-document.ts'),
      import('./openapi/native-documents.ts'),
    ])
    const { major, minor } = this.#version
    const version = `${major}.${minor}`
    const native = nativeDocumentsOf(this.#release)
    this.#swagger ??= new SwaggerDocument(this.#catalogue, native, version, this.#extensions)
    return serveSwagger(request, this.#swagger)
  }

  #made(): CachedDocuments {
    const { revision } = this.#catalogue
    const extensionsRevision = this.#extensions?.revision
    const current = this.#current
    if (current?.revision === revision && current.extensionsRevision === extensionsRevision) return current
    const groups = groupsOf(this.#catalogue, this.#extensions)
    return (this.#current = { revision, extensionsRevision, groups, aggregated: new Map() })
  }
}

/** `/api` and `/apis`: aggregated where the client prefers it, else the list of versions or groups alone. */
function serverGroups(
  request: ApiRequest,
  current: CachedDocuments,
  core: boolean,
): ApiResponse | Promise<ApiResponse> {
  const [first] = parseAccept(request.headers.accept).filter(isKnownForm)
  if (first?.parameters['as'] !== undefined) return aggregated(request, current, core)
  return documentAnswer(
    request,
    core
      ? apiVersions(named(current.groups, '')?.versions ?? [], request.headers.host ?? 'localhost')
      : apiGroupList(current.groups.filter((group) => group.name !== '')),
  )
}

/** Whether the server has a form of discovery: the aggregated one or, without parameters, the old one. */
function isKnownForm(clause: AcceptClause): boolean {
  const { as, g: group, v: version } = clause.parameters
  if (as === undefined && group === undefined && version === undefined) {
    return [...MEDIA_TYPES].some((type) => accepts(clause, type))
  }
  const aggregated = group === 'apidiscovery.k8s.io' && as === 'APIGroupDiscoveryList' && version === 'v2'
  return aggregated && accepts(clause, 'application/json')
}

async function aggregated(
  request: ApiRequest,
  current: CachedDocuments,
  core: boolean,
): Promise<ApiResponse> {
  let document = current.aggregated.get(core)
  if (!document) {
    const groups = current.groups.filter((group) => (group.name === '') === core)
    const text = JSON.stringify(aggregatedDiscovery(groups))
    document = { text, etag: `"${await digest(text)}"` }
    current.aggregated.set(core, document)
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

function notFound(): ApiResponse {
  return textAnswer(404, '404 page not found\n')
}

function named(groups: readonly Group[], name: string): Group | undefined {
  return groups.find((group) => group.name === name)
}
