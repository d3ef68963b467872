import type { ApiRequest, ApiResponse, Timer } from '@homeostat/api'
import type { User } from '../../auth/index.ts'
import type { FrontProxyIdentity } from '../../certificates/index.ts'
import type { Extensions, ExtensionVersion, Priority } from '../../discovery/index.ts'
import { textAnswer } from '../../http/index.ts'
import {
  collectionOf,
  loadWrites,
  ownWrites,
  specOf,
  storedObject,
  type ObservedChange,
  type Registry,
  type ServerObject,
} from '../../registry/index.ts'
import { chooseEndpoint, type Endpoint } from '../../upstream/index.ts'
import type { ProxyConnect } from '../pod-runner/proxy-connect.ts'
import { LOCAL, withAvailability, type Availability } from './availability.ts'
import type { ExtensionNetwork } from './extension-network.ts'
import {
  availableCondition,
  extensionOf,
  leadsElsewhere,
  NO_DOCUMENTS,
  type ConvertedDocument,
  type Extension,
  type ExtensionDocuments,
} from './extension.ts'
import { resolveExtension, serviceOf, type Resolved } from './resolve-extension.ts'

const API_SERVICES = 'apiregistration.k8s.io/apiservices'
const OPENAPI = '/openapi/v3/'
/** The field manager of the condition Available. */
const MANAGER = 'kube-apiserver'
/** How long a server counts as available after it has answered, in milliseconds. */
const CHECK_INTERVAL = 30_000
/** How soon a server that did not answer is asked again: first, and at most. */
const [FIRST_RETRY, LAST_RETRY] = [5, 30_000]
/** How long documents are kept before the server is asked for them again. */
const DOCUMENTS_INTERVAL = 60_000

/** The known facts about an extension API server. */
interface ExtensionState {
  extension: Extension
  resolved: Resolved
  documents: ExtensionDocuments
  /** Whether the documents describe the resources of the last answer. */
  fresh: boolean
  /** When the resources, and the OpenAPI documents, are asked for again, on the monotonic scale. */
  readAgainAt: number
  openApiAgainAt: number
  failures: number
  /** Whether a check is under way, and whether another one is needed after it. */
  checking: 'no' | 'once' | 'again'
  timer?: Timer | undefined
}

/**
 * The extension API servers, by their APIServices: finds them, follows whether they are available and what they serve, and passes requests
 * on to them. No request waits for a slow server: documents show its last known state.
 */
export class Aggregator implements Extensions {
  readonly #registry: Registry
  readonly #connect: ProxyConnect | undefined
  readonly #identity: () => Promise<FrontProxyIdentity>
  readonly #known = new Map<string, ExtensionState>()
  #network: Promise<ExtensionNetwork> | undefined
  #closed = false
  #revision = 0

  constructor(
    registry: Registry,
    options: {
      readonly connect: ProxyConnect | undefined
      readonly identity: () => Promise<FrontProxyIdentity>
    },
  ) {
    this.#registry = registry
    this.#connect = options.connect
    this.#identity = options.identity
    for (const stored of registry.store.snapshot({ collection: API_SERVICES })) {
      this.#follow(stored.key, storedObject(stored))
    }
    registry.observe((change) => this.#observe(change))
  }

  get revision(): number {
    return this.#revision
  }

  versions(): readonly ExtensionVersion[] {
    return [...this.#known.values()]
      .sort(
        (a, b) =>
          b.extension.groupPriority - a.extension.groupPriority ||
          (a.extension.name < b.extension.name ? -1 : 1),
      )
      .map(({ extension: { group, version }, documents: { resources, swagger }, fresh }) => ({
        group,
        version,
        resources,
        fresh,
        swagger,
      }))
  }

  priorityOf({ group, version }: { readonly group: string; readonly version: string }): Priority {
    // As in Kubernetes, the group of APIServices, which has no APIService itself, comes first.
    if (group === 'apiregistration.k8s.io') return { group: Infinity, version: 0 }
    const stored = this.#registry.store.get(API_SERVICES, `${version}.${group}`)
    const spec = stored ? specOf(storedObject(stored)) : {}
    return { group: Number(spec['groupPriorityMinimum'] ?? 0), version: Number(spec['versionPriority'] ?? 0) }
  }

  openApi(): ReadonlyMap<string, string> {
    return new Map([...this.#known.values()].flatMap(({ documents }) => [...documents.openApi]))
  }

  /** Whether requests to a path are passed on to an extension API server. */
  handles(path: string): boolean {
    return this.#at(path) !== undefined
  }

  /** Answers a request of a user, where an extension API server is responsible for its path. */
  serve(request: ApiRequest, user: User): ApiResponse | Promise<ApiResponse> | undefined {
    const known = this.#at(request.path)
    if (!known) return undefined
    const { converted } = known.documents
    if (converted && request.path.startsWith(OPENAPI)) return convertedAnswer(request, converted)
    const { extension, resolved } = known
    if (!extension.available || 'problem' in resolved) return textAnswer(503, 'service unavailable\n')
    const endpoint = chooseEndpoint([resolved.endpoints], this.#registry.clock)
    if (!endpoint) return textAnswer(503, 'service unavailable\n')
    return this.#pass(request, user, extension, endpoint)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { timer } of this.#known.values()) timer?.cancel()
    const network = await this.#network
    network?.close()
  }

  async #pass(
    request: ApiRequest,
    user: User,
    extension: Extension,
    endpoint: Endpoint,
  ): Promise<ApiResponse> {
    const [network, { passToExtension }] = await Promise.all([this.#open(), import('./pass-to-extension.ts')])
    const to = network.way(extension, endpoint)
    return passToExtension({ request, user, endpoint, to, clock: this.#registry.clock })
  }

  /** The modules that need Node are loaded with the first extension. */
  #open(): Promise<ExtensionNetwork> {
    const open = async (): Promise<ExtensionNetwork> => {
      const { ExtensionNetwork } = await import('./extension-network.ts')
      return new ExtensionNetwork(this.#connect, await this.#identity())
    }
    return (this.#network ??= open())
  }

  #at(path: string): ExtensionState | undefined {
    if (this.#known.size === 0) return undefined
    if (path.startsWith(OPENAPI)) {
      const address = path.slice(OPENAPI.length)
      return [...this.#known.values()].find(({ documents }) => documents.openApi.has(address))
    }
    const [, root, group = '', version = ''] = path.split('/')
    if (root === 'apis') return this.#known.get(`${version}.${group}`)
    return root === 'api' ? this.#known.get('v1.') : undefined
  }

  #observe({ resource, key, entry, previous }: ObservedChange): void {
    switch (collectionOf(resource)) {
      case API_SERVICES:
        return this.#follow(key, entry && storedObject(entry))
      case '/services':
        return this.#recheck(key)
      case 'discovery.k8s.io/endpointslices':
        for (const one of [entry, previous]) {
          const service = one && serviceOf(storedObject(one))
          if (service !== undefined) this.#recheck(service)
        }
    }
  }

  #follow(name: string, apiService: ServerObject | undefined): void {
    const extension = apiService && extensionOf(apiService)
    const known = this.#known.get(name)
    if (!extension) {
      if (known) this.#forget(known)
      if (apiService && availableCondition(apiService)?.['reason'] !== LOCAL.reason)
        this.#writeAvailability(name, LOCAL)
      return
    }
    this.#revision++
    if (!known) {
      const resolved = resolveExtension(this.#registry, extension)
      const state: ExtensionState = {
        extension,
        resolved,
        documents: NO_DOCUMENTS,
        fresh: false,
        readAgainAt: 0,
        openApiAgainAt: 0,
        failures: 0,
        checking: 'no',
      }
      this.#known.set(name, state)
      this.#check(state)
      return
    }
    const moved = leadsElsewhere(known.extension, extension)
    if (moved) void this.#network?.then((network) => network.forget(known.extension))
    known.extension = extension
    if (moved) this.#look(known)
  }

  #forget(known: ExtensionState): void {
    this.#known.delete(known.extension.name)
    known.timer?.cancel()
    this.#revision++
    void this.#network?.then((network) => network.forget(known.extension))
  }

  /** Looks again at the extensions behind a Service. */
  #recheck(service: string): void {
    for (const known of this.#known.values()) {
      const { namespace, name } = known.extension.service
      if (`${namespace}/${name}` === service) this.#look(known)
    }
  }

  #look(known: ExtensionState): void {
    known.resolved = resolveExtension(this.#registry, known.extension)
    known.readAgainAt = 0
    known.openApiAgainAt = 0
    known.failures = 0
    this.#check(known)
  }

  /** Checks an extension soon; one check at a time. */
  #check(known: ExtensionState): void {
    known.timer?.cancel()
    if (known.checking !== 'no') {
      known.checking = 'again'
      return
    }
    known.checking = 'once'
    this.#registry.soon(`checking the APIService ${known.extension.name}`, async () => {
      const found = await this.#checked(known)
      const again = known.checking === 'again'
      known.checking = 'no'
      if (this.#closed || this.#known.get(known.extension.name) !== known) return
      this.#writeAvailability(known.extension.name, found)
      if (again) this.#check(known)
      else known.timer = this.#registry.clock.schedule(this.#delay(known, found), () => this.#check(known))
    })
  }

  #delay(known: ExtensionState, { reason }: Availability): number {
    if (reason !== 'FailedDiscoveryCheck') return CHECK_INTERVAL
    return Math.min(FIRST_RETRY * 2 ** known.failures++, LAST_RETRY)
  }

  /** Asks the server whether it is available, and for its documents where these are due. */
  async #checked(known: ExtensionState): Promise<Availability> {
    const { extension, resolved } = known
    if ('problem' in resolved) {
      this.#learn(known, { fresh: false })
      return resolved.problem
    }
    try {
      const [network, { checkExtension }] = await Promise.all([this.#open(), import('./check-extension.ts')])
      const [found] = await Promise.all([
        checkExtension(network, extension, resolved.endpoints),
        this.#readResources(known, network, resolved.endpoints),
      ])
      if (found.status === 'False') return found
      known.failures = 0
      this.#readOpenApi(known, network, resolved.endpoints)
      return found
    } catch (error) {
      return { status: 'False', reason: 'FailedDiscoveryCheck', message: String(error) }
    }
  }

  async #readResources(
    known: ExtensionState,
    network: ExtensionNetwork,
    endpoints: readonly Endpoint[],
  ): Promise<void> {
    const { clock } = this.#registry
    const endpoint = chooseEndpoint([endpoints], clock)
    if (!endpoint || clock.monotonic() < known.readAgainAt) return
    const { DocumentReader } = await import('./extension-documents.ts')
    try {
      const resources = await new DocumentReader(network, known.extension, endpoint).resources()
      known.readAgainAt = clock.monotonic() + DOCUMENTS_INTERVAL
      this.#learn(known, { fresh: true, documents: { ...known.documents, resources } })
    } catch {
      this.#learn(known, { fresh: false })
    }
  }

  /** Reads the OpenAPI documents. Checks do not wait for them: they may be long. */
  #readOpenApi(known: ExtensionState, network: ExtensionNetwork, endpoints: readonly Endpoint[]): void {
    const { clock } = this.#registry
    const endpoint = chooseEndpoint([endpoints], clock)
    if (!endpoint || clock.monotonic() < known.openApiAgainAt) return
    known.openApiAgainAt = clock.monotonic() + DOCUMENTS_INTERVAL
    this.#registry.soon(`OpenAPI of the APIService ${known.extension.name}`, async () => {
      const { DocumentReader } = await import('./extension-documents.ts')
      try {
        const openApi = await new DocumentReader(network, known.extension, endpoint).openApi()
        this.#learn(known, { documents: { ...known.documents, converted: undefined, ...openApi } })
      } catch {
        // The known facts stay; the next check tries again.
        known.openApiAgainAt = 0
      }
    })
  }

  #learn(known: ExtensionState, news: Partial<Pick<ExtensionState, 'fresh' | 'documents'>>): void {
    Object.assign(known, news)
    this.#revision++
  }

  /** Writes into the status of an APIService whether it is available. */
  #writeAvailability(name: string, found: Availability): void {
    const registry = this.#registry
    registry.soon(`the availability of the APIService ${name}`, async () => {
      await loadWrites(registry)
      const resource = registry.catalogue.find('apiregistration.k8s.io', 'v1', 'apiservices')
      const current = resource && registry.get(resource, name)
      if (!current || registry.closed) return
      const before = storedObject(current)
      const object = withAvailability(before, found, registry.clock.now())
      if (!object) return
      ownWrites.get().manage(registry, { object, before, resource, manager: MANAGER, subresource: 'status' })
      registry.put(resource, name, current.revision, object)
    })
  }
}

/** The answer with a document that was made here; 304 for a client that has it already. */
function convertedAnswer(request: ApiRequest, { text, hash }: ConvertedDocument): ApiResponse {
  const etag = `"${hash}"`
  const fresh = { 'cache-control': 'no-cache, private', vary: 'Accept', etag }
  if (request.headers['if-none-match'] === etag)
    return { status: 304, headers: fresh, body: new Uint8Array() }
  const headers = { ...fresh, 'content-type': 'application/json' }
  return { status: 200, headers, body: new TextEncoder().encode(text) }
}
