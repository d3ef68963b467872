import { Discovery } from './discovery/index.ts'
import {
  apiVersionOf,
  checkNodeVersion,
  checkOptionNames,
  SystemClock,
  type ApiHandler,
  type Clock,
} from '@homeostat/api'
import {
  ADMIN,
  Aggregation,
  createBootstrapPolicy,
  Impersonation,
  Rbac,
  type Authorization,
  type LegacyTokenSubject,
  type User,
} from './auth/index.ts'
import type { FrontProxyIdentity } from './certificates/index.ts'
import type { DataFolder } from './data-folder.ts'
import { openBackground } from './background/index.ts'
import {
  auditIds,
  createHandler,
  isProxyPath,
  loadAllParts,
  type KindActions,
  type Serve,
} from './http/index.ts'
import type { ApiPort, PortHandler, PortOptions } from './port/index.ts'
import type { AdmissionChain } from './admission/index.ts'
import type { Auditor } from './audit/index.ts'
import { FlowControl } from './flow-control/index.ts'
import { ServerMetrics } from './metrics/index.ts'
import {
  Aggregator,
  DEFAULT_SERVICE_RANGE,
  followChanges,
  keepFlowControlObjects,
  makeDefaultObjects,
  mandatoryFlowObjects,
  METRICS_GROUP,
  METRICS_RESOURCES,
  metricsAction,
  nativeActions,
  nativeKinds,
  parseServiceRange,
  publishAuthentication,
  publishEndpoint,
  serverGaps,
  type KindServices,
  type PluginServices,
} from './native/index.ts'
import { type NativeTypes, nativeTypesOf } from './schema/index.ts'
import { LiveCatalogue, NAMESPACES, nativeCatalogue, Registry } from './registry/index.ts'
import { callInProcess, conversionWebhooks, WebhookCaller } from './webhooks/index.ts'
import type { Store } from './storage/index.ts'
import { DEFAULT_RELEASE, disabledFeatures, type Release, releaseOf, versionOf } from './version/index.ts'
import { Reloads } from './configuration/index.ts'
import { LazyModule } from './work/index.ts'
import { openAuthenticators, type Authenticators } from './open-authenticators.ts'
import {
  openAuditor,
  openAuthorizers,
  openDataFolder,
  openFrontProxy,
  openOwnStore,
  openPreferred,
  type OwnStore,
} from './open-parts.ts'
import { type ApiServerOptions, SERVER_OPTIONS } from './server-options.ts'

/** The requests that kube-apiserver runs at a time by default: 400 reads and 200 writes, which share their seats. */
const MAX_REQUESTS_IN_FLIGHT = 600
/** In milliseconds. */
const EVENT_LIFETIME = 3_600_000

/** The parts that a started server uses, and closes. */
interface ServerParts {
  readonly serve: Serve
  readonly authenticators: Authenticators
  readonly authorization: Authorization & Partial<Disposable>
  readonly reloads: Disposable
  readonly expiry: Disposable
  readonly flowObjects: Disposable
  readonly webhooks: WebhookCaller
  readonly aggregator: Aggregator
  readonly frontProxy: () => Promise<FrontProxyIdentity>
  readonly auditor: Auditor | undefined
  /** The store that this server opened itself. */
  readonly ownStore: Store | undefined
  readonly folder: DataFolder | undefined
  readonly advertiseAddress: string | undefined
}

/**
 * A Kubernetes API in this process. Its {@link handler} answers as soon as `start` has resolved; a port is opened only
 * by `listen`.
 */
export class ApiServer implements AsyncDisposable {
  readonly clock: Clock
  readonly registry: Registry
  readonly #parts: ServerParts
  readonly #ports = new Set<ApiPort>()

  private constructor(clock: Clock, registry: Registry, parts: ServerParts) {
    this.clock = clock
    this.registry = registry
    this.#parts = parts
  }

  /** Starts a server with the objects that every cluster has. */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    checkNodeVersion()
    checkOptionNames(options, SERVER_OPTIONS)
    const clock = options.clock ?? new SystemClock()
    // Loading takes real time, which a simulated clock must wait for.
    if (!(clock instanceof SystemClock)) await Promise.all([loadAllParts(), nativeKinds.load()])
    if (options.store)
      return ApiServer.#startOn({ store: options.store, encryptBy: () => undefined }, clock, options)
    const own = await openOwnStore(options, clock)
    try {
      return await ApiServer.#startOn(own, clock, options)
    } catch (error) {
      // Releases the folder, so that the caller can try again in this process.
      closeQuietly(own.store)
      throw error
    }
  }

  static async #startOn(
    { store, encryptBy }: OwnStore,
    clock: Clock,
    options: ApiServerOptions,
  ): Promise<ApiServer> {
    const folder = options.store ? undefined : await openDataFolder(options.dataDir)
    const features = disabledFeatures(options.disabledFeatures)
    const release = releaseOf(options.kubernetesVersion ?? DEFAULT_RELEASE)
    const catalogue = catalogueOf(options, await nativeTypesOf(release))
    const registry = new Registry({
      store,
      clock,
      catalogue,
      kinds: nativeKinds,
      background: openBackground(clock, release),
      convertObjects: (request) => convertObjects(request),
      withoutEffect: [...serverGaps(options.audit !== undefined), ...(options.withoutEffect ?? [])],
      disabledFeatures: features,
    })
    const expiry = followChanges(registry, {
      finalizeNamespaces: options.finalizeNamespaces ?? true,
      eventLifetime: options.eventLifetime ?? EVENT_LIFETIME,
    })
    const rbac = new Rbac(registry)
    const authorization = await openAuthorizers(options, rbac, clock)
    const { authorize } = authorization
    const authenticators = await openAuthenticators(options, registry, folder, clock)
    const { serviceAccounts, authentication, readToken, reviewToken } = authenticators
    const caller = new WebhookCaller(registry, options.connect)
    const { webhookHandlers } = options
    const call = webhookHandlers ? callInProcess(webhookHandlers, clock, caller.call) : caller.call
    const convertObjects = conversionWebhooks(call, clock)
    const metrics = new ServerMetrics(clock, versionOf(release))
    const auditor = await openAuditor(options, metrics, clock)
    const reloads = new Reloads(metrics)
    const frontProxy = once(() => openFrontProxy(folder))
    const aggregator = new Aggregator(registry, { connect: options.connect, identity: frontProxy })
    const services = { rbac, authorize, callWebhook: call, metrics }
    const admission = lateAdmission(registry, services, options, release)
    if (!(clock instanceof SystemClock)) await admission.load()
    const serve = createHandler({
      flowControl: flowControlOf(registry, options),
      registry,
      newAuditId: auditIds(clock),
      metrics,
      auditor,
      discovery: new Discovery(catalogue, release, features, aggregator),
      extensions: aggregator,
      readToken,
      allowsAnonymous: authentication && ((path) => authentication.allowsAnonymous(path)),
      authorizer: authorize,
      impersonation: new Impersonation(authorize),
      serviceAccounts,
      admission,
      actions: actionsOf(options, { authorization, serviceAccounts, reviewToken }),
      onWrite: options.onWrite,
    })
    const flowObjects = keepClusterObjects(registry, options)
    await store.saved()
    // No later step can fail, so that `close` always ends the parts that follow files.
    await reloads.follow('authentication', options.authentication, (next) => authentication?.replace(next))
    await reloads.follow('authorization', options.authorization, (next) => authorization.replace?.(next))
    await reloads.follow('encryption', options.encryption, encryptBy)
    return new ApiServer(clock, registry, {
      serve,
      authenticators,
      authorization,
      reloads,
      expiry,
      flowObjects,
      webhooks: caller,
      aggregator,
      frontProxy,
      auditor,
      ownStore: options.store ? undefined : store,
      folder,
      advertiseAddress: options.advertiseAddress,
    })
  }

  /** The API as a function, for callers in this process: they have all rights. */
  get handler(): ApiHandler {
    return this.handlerFor(ADMIN)
  }

  /** The API as a function, for one user. A request with a token acts as the user of the token. */
  handlerFor(user: User): ApiHandler {
    return (request) => this.#parts.serve(request, request.headers['authorization'] ? {} : { user })
  }

  /**
   * Makes the token that a Secret of type `kubernetes.io/service-account-token` holds for a ServiceAccount, as
   * kube-controller-manager does in a cluster. The token is valid while the Secret holds it.
   */
  makeLegacyToken(subject: LegacyTokenSubject): Promise<string> {
    return this.#parts.authenticators.serviceAccounts.legacy.issue(subject)
  }

  /**
   * Opens a port on the loopback interface, with TLS and a token that has all rights. With a data folder, the
   * authority and the token are those of the previous server, and so is the port unless `options` names another or
   * another program uses it. The port is closed with the server, or before. Fails with `PORT_IN_USE` if another
   * program uses the requested port.
   */
  async listen(options: PortOptions = {}): Promise<ApiPort> {
    const { authority, token = newToken() } = (await this.#parts.folder?.identity()) ?? {}
    const former = this.#parts.folder?.lastPort
    const handler: PortHandler = (request, certificate) => this.#parts.serve(request, { certificate })
    const compresses = !this.registry.disabledFeatures.has('APIResponseCompression')
    const passesOn = (path: string): boolean => isProxyPath(path) || this.#parts.aggregator.handles(path)
    const server = { handler, token, clock: this.clock, authority, compresses, passesOn }
    const port = await openPreferred(server, options, former)
    const { tokens } = this.#parts.authenticators
    tokens.set(token, ADMIN)
    if (this.#parts.folder && this.#ports.size === 0) this.#parts.folder.lastPort = port.port
    this.#ports.add(port)
    this.#publish()
    publishAuthentication(
      this.registry,
      { clients: port.certificateAuthority, frontProxy: (await this.#parts.frontProxy()).authority },
      options.frontProxy,
    )
    const close = async (): Promise<void> => {
      // Ports of one data folder share their token.
      if (![...this.#ports].some((other) => other !== port && other.token === token)) tokens.delete(token)
      this.#ports.delete(port)
      this.#publish()
      await port.close()
    }
    const formerPort = former === port.port ? undefined : former
    return { ...port, formerPort, close, [Symbol.asyncDispose]: close }
  }

  /** Writes the address of the API, that of the first open port, into its Endpoints. */
  #publish(): void {
    if (this.registry.closed) return
    const [first] = this.#ports
    const address = this.#parts.advertiseAddress ?? addressOf(first)
    publishEndpoint(this.registry, first && address ? { address, port: first.port } : undefined)
  }

  /** Ends every watch and closes the ports. Requests that come later are answered with 503. */
  async close(): Promise<void> {
    this.registry.close()
    this.registry.background?.close()
    this.#parts.reloads[Symbol.dispose]()
    this.#parts.expiry[Symbol.dispose]()
    this.#parts.flowObjects[Symbol.dispose]()
    const { authentication, tokenWebhook, tokens } = this.#parts.authenticators
    authentication?.[Symbol.dispose]()
    tokenWebhook?.[Symbol.dispose]()
    this.#parts.authorization[Symbol.dispose]?.()
    await Promise.all([this.#parts.webhooks.close(), this.#parts.aggregator.close()])
    await this.#parts.auditor?.close()
    await Promise.all([...this.#ports].map((port) => port.close()))
    this.#ports.clear()
    tokens.clear()
    this.#parts.ownStore?.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** The native resources of a release that the options do not disable. */
function catalogueOf({ disabledVersions, metrics }: ApiServerOptions, types: NativeTypes): LiveCatalogue {
  const disabled = new Set(disabledVersions)
  const native = nativeCatalogue(nativeKinds, types).filter(
    (resource) =>
      !disabled.has(apiVersionOf(resource)) && !disabled.has(`${apiVersionOf(resource)}/${resource.plural}`),
  )
  const catalogue = new LiveCatalogue(native)
  if (metrics) catalogue.define(METRICS_GROUP, METRICS_RESOURCES)
  return catalogue
}

/** Creates the objects that every cluster has, and keeps those of the server itself up to date. */
function keepClusterObjects(registry: Registry, { serviceRange }: ApiServerOptions): Disposable {
  const isNew = registry.store.snapshot({ collection: NAMESPACES }).length === 0
  makeDefaultObjects(registry, parseServiceRange(serviceRange ?? DEFAULT_SERVICE_RANGE))
  createBootstrapPolicy(registry)
  const flowObjects = keepFlowControlObjects(registry, isNew)
  void new Aggregation(registry, isNew)
  return flowObjects
}

function flowControlOf(
  registry: Registry,
  { maxRequestsInFlight: seats = MAX_REQUESTS_IN_FLIGHT }: ApiServerOptions,
): FlowControl | undefined {
  return seats > 0 ? new FlowControl(registry, { seats, mandatory: mandatoryFlowObjects }) : undefined
}

/** The admission plugins, loaded with the first write. */
function lateAdmission(
  registry: Registry,
  services: PluginServices,
  options: ApiServerOptions,
  release: Release,
): LazyModule<AdmissionChain> {
  return new LazyModule('admission', async () => {
    const { admissionChain } = await import('./native/admission-plugins.ts')
    return admissionChain(registry, services, {
      disabled: options.disabledAdmission,
      serviceAccounts: options.serviceAccounts?.admission,
      protectsVolumes: options.protectsVolumes,
      taintsNodes: options.taintsNodes,
      enforceOwnerReferences: options.enforceOwnerReferences,
      admit: options.admit,
      release,
    })
  })
}

/** The actions of native kinds, and of the metrics where nodes and Pods are measured. */
function actionsOf(
  { metrics, podLogs, podStreams, connect, kubelets }: ApiServerOptions,
  services: Pick<KindServices, 'authorization' | 'serviceAccounts' | 'reviewToken'>,
): KindActions {
  const actions = nativeActions({ ...services, podLogs, podStreams, connect, kubelets })
  if (!metrics) return actions
  const measure = metricsAction(metrics)
  return {
    ...actions,
    virtual: (resource) => (resource.group === METRICS_GROUP ? measure : actions.virtual(resource)),
  }
}

/** Calls a function when its result is first wanted. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** Ignores close errors; the caller rethrows the original. */
function closeQuietly(store: Store): void {
  try {
    store.close()
  } catch {
    // Failed writes were reported before.
  }
}

/** The address that a port listens on; if it listens on all, an address of the machine. */
function addressOf(port: ApiPort | undefined): string | undefined {
  const host = port && new URL(port.url).hostname.replace(/^\[|\]$/g, '')
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}

/** Uses crypto randomness, not the clock's, which is predictable. */
function newToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
