import {
  checkOptionNames,
  HomeostatError,
  SystemClock,
  type AnyKind,
  type ApiHandler,
  type Clock,
} from '@homeostat/api'
import { Pod, ServiceAccount } from '@homeostat/api/kinds'
import { CertificateAuthority } from '@homeostat/api/certificates'
import { serverGaps, type ApiPort, type ApiServer, type ProxyConnect } from '@homeostat/apiserver'
import {
  createClient,
  directTransport,
  Manager,
  silentLogger,
  type Client,
  type Logger,
  type OperatorSource,
  type Transport,
} from 'homeostat'
import { API_ADDRESS } from './api-address.ts'
import { Closing } from './closing.ts'
import { openClusterFolder, type ClusterFolder } from './cluster-folder.ts'
import { clusterNodes } from './cluster-nodes.ts'
import {
  checkClusterOptions,
  CONNECT_OPTIONS,
  FORWARD_OPTIONS,
  LOG_OPTIONS,
  type ClusterLogOptions,
  type ClusterOptions,
  type ConnectOptions,
  type ForwardOptions,
} from './cluster-options.ts'
import {
  CLUSTER_GAPS,
  controllerManager,
  ensureMetricsReader,
  ensureStandardClass,
  openApiSchemas,
  scheduler,
} from './controllers/index.ts'
import { ListenerWatch, PersistentFolders, PodNamespaces } from './kubelet/index.ts'
import {
  AddressBook,
  ClusterNetwork,
  HostPorts,
  Loopback,
  ServiceNetwork,
  type Connection,
  type Forward,
  type ServiceKey,
  type SocketAddress,
} from './network/index.ts'
import { installOperator, type InstallOptions } from './install-operator.ts'
import { Nodes } from './nodes.ts'
import { separationProblems, type SeparationProblem } from './separation-problem.ts'
import { HOST_IP, startKubelets, type PodSeparation } from './start-kubelets.ts'
import { startServer } from './start-server.ts'

interface Parts {
  readonly nodes: Nodes
  readonly services: ServiceNetwork
  readonly network: ClusterNetwork
  readonly loopback: Loopback
  readonly separation: PodSeparation
  readonly limitsProblem: () => string | undefined
  readonly listening: ApiPort | undefined
  readonly closing: Closing
}

/**
 * A small Kubernetes in this process: an API server, the controllers of workloads, and nodes that run Pods as
 * functions and processes of this machine. After `close` nothing of it is left, except what a `dataDir` keeps.
 */
export class Cluster implements AsyncDisposable {
  readonly server: ApiServer
  readonly clock: Clock
  /** Carries requests to the server itself, as its administrator: `new Manager({ transport: cluster.transport })`. */
  readonly transport: Transport
  /** Reads and writes the server itself, as its administrator. */
  readonly client: Client
  readonly #parts: Parts

  private constructor(server: ApiServer, clock: Clock, transport: Transport, client: Client, parts: Parts) {
    this.server = server
    this.clock = clock
    this.transport = transport
    this.client = client
    this.#parts = parts
  }

  /** Resolves when the API answers, the nodes are ready and all controllers run. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    checkClusterOptions(options)
    const clock = options.clock ?? new SystemClock()
    const declared = clusterNodes(options.nodes)
    await using closing = new Closing()
    const folder = await openClusterFolder(options.dataDir)
    closing.add(() => folder.release())
    const loopback = closing.use(await Loopback.claim())
    const nodes = new Nodes()
    let network: ClusterNetwork | undefined
    // Any namespace will do: addresses are not resolved by namespace.
    const connect: ProxyConnect = (address, port, signal) =>
      network
        ? network.connect(address, port, { namespace: 'default' }, signal)
        : Promise.reject(
            new HomeostatError('CLUSTER_STARTING', 'the network of the cluster is still starting'),
          )
    const server = closing.use(await startServer(folder, nodes, clock, connect, options))
    folder.mark()
    const transport = closing.use(directTransport(server.handler, { clock }))
    const client = createClient({ transport, clock, fieldManager: 'homeostat-cluster' })
    const { logger = silentLogger } = options
    const listening = await listen(server, loopback, logger, options)

    const locator = new AddressBook()
    if (listening) locator.announce(API_ADDRESS, listening.port, { host: HOST_IP, port: listening.port })
    const services = closing.use(new ServiceNetwork({ reader: client, locator, loopback, clock }))
    network = closing.use(new ClusterNetwork({ services, locator, clock }))
    const hostPorts = closing.use(new HostPorts(locator))
    // The first address is that of the API, which its certificate names.
    await services.address({ namespace: 'default', name: 'kubernetes' })

    if (listening) options.onListening?.(listening.kubeconfig())
    await ensureClusterObjects(client)
    const persistentFolders = new PersistentFolders(folder.volumes)
    const separation = openSeparation(options, folder, loopback, closing)
    const kubelets = await startKubelets({
      options,
      clock,
      client,
      declared,
      folder,
      loopback,
      locator,
      network,
      nodes,
      separation,
      persistentFolders,
      closing,
    })

    const controllers = controllerManager({
      kinds: client.kinds,
      findSchema: openApiSchemas(transport),
      certificateAuthority: listening?.certificateAuthority ?? '',
      signCertificate: await signer(listening),
      makeToken: (subject) => server.makeLegacyToken(subject),
      volumeFolders: persistentFolders,
      withoutEffect: [...CLUSTER_GAPS, ...serverGaps(options.audit !== undefined)],
    })
    const manager = new Manager({ transport, clock, logger, activity: options.activity }).add(
      ...controllers.filter(({ kind }) => !kind || isServed(server, kind)),
      scheduler(),
      services.controller,
      hostPorts.controller,
      ...kubelets.map((kubelet) => kubelet.controller),
    )
    await startManager(manager, closing)
    const parts = {
      nodes,
      services,
      network,
      loopback,
      separation,
      limitsProblem: () => kubelets[0]?.limitsProblem,
      listening,
      closing: closing.move(),
    }
    return new Cluster(server, clock, transport, client, parts)
  }

  /** The API as a function, for callers in this process: they have all rights. */
  get handler(): ApiHandler {
    return this.server.handler
  }

  /** Where the API listens. */
  get url(): string {
    return this.#listening.url
  }

  /**
   * The port of the previous cluster on the same data folder, if it was another one: kubeconfigs of that cluster name
   * it.
   */
  get formerPort(): number | undefined {
    return this.#parts.listening?.formerPort
  }

  /**
   * Whether every Pod and Service has its own loopback address. Where the system has only 127.0.0.1 (macOS, unless
   * more addresses are added) they share it, and listen on other ports than the declared ones.
   */
  get ownAddresses(): boolean {
    return this.#parts.loopback.wide
  }

  /**
   * Why names of Services do not resolve in processes other than Node, as the end of a sentence; `undefined` where
   * they do. Such processes find Services by their variables only (`WEB_SERVICE_HOST`).
   */
  async processNamesProblem(): Promise<string | undefined> {
    const { separation, loopback } = this.#parts
    const { namespaces, processNames } = separation
    if (processNames) return namespaces?.namesProblem()
    return loopback.wide
      ? 'processNames is false'
      : 'all Pods and Services share the address 127.0.0.1 on this system'
  }

  /**
   * Which parts of the separation of Pods' processes are missing here; empty where all of it works, as on Linux with
   * util-linux, control groups, and root or user namespaces. SECURITY.md says what is separated.
   */
  async separationProblems(): Promise<SeparationProblem[]> {
    const { separation, limitsProblem, loopback } = this.#parts
    const { namespaces, separate } = separation
    const off = separate ? undefined : 'separation is false'
    const limits = limitsProblem()
    return separationProblems({
      files: off ?? (await namespaces?.separationProblem()),
      limits,
      addresses:
        off ?? (loopback.wide ? limits : 'all Pods and Services share the address 127.0.0.1 on this system'),
    })
  }

  /** A kubeconfig for the cluster's administrator, as YAML. */
  kubeconfig(): string {
    return this.#listening.kubeconfig()
  }

  /**
   * Makes an operator's kinds known to the cluster, and applies its samples. Objects that already exist are
   * updated. To run the operator in this process: `await run(operator, { manager: { transport: cluster.transport }
   * })`.
   */
  install(operator: OperatorSource, options?: InstallOptions): Promise<void> {
    return installOperator(this.client, operator, options)
  }

  /** The loopback address that connects to a Service's port (its number or its name). */
  serviceAddress(service: ServiceKey, port?: number | string): Promise<SocketAddress> {
    return this.#parts.services.address(service, port)
  }

  /**
   * Connects to a port of a name or an address of the cluster, as a Pod of the namespace would: `web`, `web.other`,
   * `pod-0.web.default.svc.cluster.local`, `10.96.0.1`.
   */
  async connect(host: string, port: number, options: ConnectOptions = {}): Promise<Connection> {
    checkOptionNames(options, CONNECT_OPTIONS)
    return this.#parts.network.connect(host, port, { namespace: options.namespace ?? 'default' })
  }

  /**
   * Forwards a port of 127.0.0.1 to a Service: `localPort`, or any free port. The Service need not exist yet:
   * connections are closed until one of its Pods is ready.
   */
  async forward(options: ForwardOptions): Promise<Forward> {
    checkOptionNames(options, FORWARD_OPTIONS)
    return this.#parts.services.forward(options)
  }

  /** The log of a container as chunks of text; with `follow` it continues until the container ends. */
  async *logs(options: ClusterLogOptions): AsyncGenerator<Uint8Array, void, undefined> {
    checkOptionNames(options, LOG_OPTIONS)
    const { namespace, pod: name, previous, ...rest } = options
    const pod = await this.client.getOrThrow(Pod, { namespace, name })
    const container = options.container ?? pod.spec.containers[0]?.name ?? ''
    const log = this.#parts.nodes.log({ namespace, name }, container, { previous })
    if (log) yield* log.read(rest)
  }

  /** Ends everything: controllers, containers and their processes, listeners, the server. */
  close(): Promise<void> {
    return this.#parts.closing.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #listening(): ApiPort {
    const { listening } = this.#parts
    if (listening) return listening
    throw new HomeostatError(
      'CLUSTER_WITHOUT_PORT',
      'the cluster was started with port: false, so nothing listens: leave port out, or use its handler',
    )
  }
}

/** Opens the port of the API, unless the options decline one. */
async function listen(
  server: ApiServer,
  loopback: Loopback,
  logger: Logger,
  { port = 0, clientAuthorities, frontProxy }: ClusterOptions,
): Promise<ApiPort | undefined> {
  if (port === false) return undefined
  const names = apiNames(loopback)
  const onProblem = (error: Error): void => logger.warn({ error }, 'a connection to the API was lost')
  return server.listen({ port, names, onProblem, clientAuthorities, frontProxy })
}

function openSeparation(
  { processNames: wantsNames, separation, secretFiles: secrets }: ClusterOptions,
  folder: ClusterFolder,
  loopback: Loopback,
  closing: Closing,
): PodSeparation {
  // Without separate addresses, a name would lead to any program that listens on the port.
  const processNames = wantsNames !== false && loopback.wide
  const separate = separation !== false
  const namespaces =
    processNames || separate
      ? closing.use(new PodNamespaces({ folder: folder.path, secrets, separate }))
      : undefined
  const listeners = separate ? closing.use(new ListenerWatch((address) => loopback.has(address))) : undefined
  return { processNames, separate, namespaces, listeners }
}

/** Whether a server serves a kind: older releases of Kubernetes do not have all of them. */
function isServed({ registry }: ApiServer, { group, version, plural }: AnyKind): boolean {
  return registry.catalogue.find(group, version, plural) !== undefined
}

/** Starts a manager, which `closing` ends. Resolves when all its controllers run. */
async function startManager(manager: Manager, closing: Closing): Promise<void> {
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  closing.add(async () => {
    stop.abort()
    await running
  })
  await manager.synced
}

/** Creates the objects that Pods and clients of every cluster need. */
async function ensureClusterObjects(client: Client): Promise<void> {
  await ensureStandardClass(client)
  await ensureDefaultAccount(client)
  await ensureMetricsReader(client)
}

/** Creates the account of Pods in the namespace `default`: its controller may run only after the first Pod is created. */
async function ensureDefaultAccount(client: Client): Promise<void> {
  const key = { namespace: 'default', name: 'default' }
  if (!(await client.get(ServiceAccount, key))) await client.create(ServiceAccount, { metadata: key })
}

/** The names and addresses, besides 127.0.0.1, by which Pods reach the API. */
function apiNames(loopback: Loopback): string[] {
  return ['kubernetes.default.svc.cluster.local', '10.96.0.1', loopback.address(0x80, 1)]
}

/** Signs certificates by the authority of the port. Without a port, no client can log in by them. */
async function signer(port: ApiPort | undefined): Promise<ApiPort['signCertificate']> {
  if (port) return (request, options) => port.signCertificate(request, options)
  const validity = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }
  const authority = await CertificateAuthority.create('homeostat-ca', validity)
  return (request, options) => authority.sign(request, options)
}
