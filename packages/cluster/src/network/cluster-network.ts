import { HomeostatError, type Clock } from '@homeostat/api'
import type { Locator, PodAddress, SocketAddress } from './addresses/index.ts'
import {
  clusterNames,
  HostsFiles,
  isClusterAddress,
  isOwnHost,
  NameServer,
  preloadVariables,
  type ClusterName,
  type HostsEntry,
  type HostsFile,
  type HostsFileOptions,
  type NameAnswer,
} from './names/index.ts'
import type { Connection } from '@homeostat/shell'
import type { KnownService, ServiceNetwork, ServicePlan } from './services/index.ts'
import { openTcpConnection, type Choice } from './tcp/index.ts'

/** The Pod that connects. */
export interface Origin {
  readonly namespace: string
  /** Its own address: what `localhost` means to it. */
  readonly podIP?: string | undefined
}

/** The meaning of a host: a Service with an address, Pods, or a name outside of the cluster. */
type Destination =
  | { readonly type: 'service'; readonly service: KnownService }
  | { readonly type: 'pods'; readonly addresses: readonly string[] }
  | { readonly type: 'outside'; readonly name: string }

/** How many aliases in a row are followed. */
const MOST_ALIASES = 8

/**
 * The network as a container sees it: names and addresses of Services and Pods, and connections to them. Nothing else is
 * reached from here, and nothing is ever sent to the addresses themselves.
 */
export class ClusterNetwork implements AsyncDisposable {
  readonly #services: ServiceNetwork
  readonly #locator: Locator
  readonly #clock: Clock
  readonly #hostsFiles: HostsFiles
  #nameServer: Promise<NameServer> | undefined
  #turn = 0

  constructor(options: { services: ServiceNetwork; locator: Locator; clock: Clock }) {
    this.#services = options.services
    this.#locator = options.locator
    this.#clock = options.clock
    this.#hostsFiles = new HostsFiles({ entries: () => this.#hostsEntries(), clock: options.clock })
    this.#services.follow(() => this.#hostsFiles.changed())
  }

  /**
   * Connects to a port of a name or address of the cluster. Fails with `HOST_NOT_FOUND` for a name that it does not know,
   * with `HOST_OUTSIDE` for one that leads out of the cluster, and with `CONNECTION_REFUSED` where no listener is.
   */
  async connect(host: string, port: number, from: Origin, signal?: AbortSignal): Promise<Connection> {
    using _work = this.#clock.busy(`a connection to ${host}:${port}`)
    const localAddress = from.podIP === undefined ? undefined : this.#locator.locate(from.podIP, 0)?.host
    for (const choice of this.#choices(host, port, from)) {
      try {
        const connection = await openTcpConnection(choice.address, { localAddress, signal })
        choice.connected?.()
        return connection
      } catch (error) {
        if (!(error instanceof HomeostatError)) throw error
      }
    }
    throw new HomeostatError(
      'CONNECTION_REFUSED',
      `${host}:${port} refuses connections: no ready Pod listens there`,
    )
  }

  /** The variables by which a process finds Services, and by which Node finds names. See the preload itself. */
  async processEnvironment(
    namespace: string,
    address: PodAddress,
    options: { readonly links: boolean },
  ): Promise<Record<string, string>> {
    this.#nameServer ??= NameServer.listen((question) => this.#answer(question))
    const { host, port } = (await this.#nameServer).address
    return {
      ...(await this.#services.environment(namespace, { ...options, process: true })),
      ...preloadVariables({ names: `${host}:${port}`, namespace, address }),
    }
  }

  /** The variables by which a container that connects through this network finds Services. */
  moduleEnvironment(
    namespace: string,
    options: { readonly links: boolean },
  ): Promise<Record<string, string>> {
    return this.#services.environment(namespace, { ...options, process: false })
  }

  /** Writes a hosts file with the names of Services and of Pods in them, and keeps it up to date until it is closed. */
  openHostsFile(options: HostsFileOptions): HostsFile {
    return this.#hostsFiles.open(options)
  }

  /** The loopback address for an address of the cluster, if that is assigned. */
  loopbackAddress(address: string): string | undefined {
    const service = this.#services.byAddress(address)
    return service ? service.listeners.host : this.#locator.locate(address, 0)?.host
  }

  async close(): Promise<void> {
    this.#hostsFiles.close()
    await (await this.#nameServer)?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #choices(host: string, port: number, from: Origin): readonly Choice[] {
    const destination = this.#destination(host, from)
    if (!destination) {
      throw new HomeostatError(
        'HOST_NOT_FOUND',
        `the host ${JSON.stringify(host)} cannot be resolved in the namespace ${from.namespace}: the cluster resolves its Services and the Pods of headless Services`,
      )
    }
    if (destination.type === 'outside') {
      throw new HomeostatError(
        'HOST_OUTSIDE',
        `${JSON.stringify(destination.name)} is outside the cluster, and containers can connect only within it`,
      )
    }
    if (destination.type === 'service') {
      return destination.service.listeners.choices(port, from.podIP ?? '') ?? []
    }
    return this.#located(destination.addresses, port).map((address) => ({ address }))
  }

  /** The answer of the resolver for a name. Connections to a Service go through the listener of that Service. */
  async #answer(question: {
    host: string
    port?: number | undefined
    namespace: string
  }): Promise<NameAnswer> {
    const { host, port, namespace } = question
    const destination = this.#destination(host, { namespace })
    if (!destination) return isClusterAddress(host) ? { refused: true } : {}
    if (destination.type === 'outside') return { outside: destination.name }
    if (destination.type === 'service') {
      const { listeners } = destination.service
      return port === undefined ? { host: listeners.host } : listeners.address(port)
    }
    return this.#located(destination.addresses, port ?? 0)[0] ?? { refused: true }
  }

  #destination(host: string, from: Origin): Destination | undefined {
    if (isOwnHost(host))
      return from.podIP === undefined ? undefined : { type: 'pods', addresses: [from.podIP] }
    if (isClusterAddress(host)) return this.#atAddress(host)
    if (/^[\d.]+$/.test(host) || host.includes(':')) return { type: 'outside', name: host }
    return this.#named(host, from.namespace, MOST_ALIASES)
  }

  #named(host: string, namespace: string, aliases: number): Destination | undefined {
    for (const name of clusterNames(host, namespace)) {
      const alias = name.type === 'service' && this.#services.known(name)?.plan.externalName
      if (alias) {
        if (aliases === 0) return undefined
        return (
          this.#named(`${alias.replace(/\.$/, '')}.`, namespace, aliases - 1) ?? {
            type: 'outside',
            name: alias,
          }
        )
      }
      const found = this.#found(name)
      if (found) return found
    }
    return undefined
  }

  #found(name: ClusterName): Destination | undefined {
    if (name.type === 'address') return this.#atAddress(name.address)
    const service = this.#services.known(name)
    if (!service) return undefined
    const { plan } = service
    if (name.type === 'endpoint') {
      const addresses = plan.endpoints.filter(({ hostname }) => hostname === name.hostname)
      return addresses.length > 0
        ? { type: 'pods', addresses: addresses.map(({ address }) => address) }
        : undefined
    }
    if (plan.clusterIP !== undefined) return { type: 'service', service }
    return { type: 'pods', addresses: plan.endpoints.map(({ address }) => address) }
  }

  #atAddress(address: string): Destination | undefined {
    const service = this.#services.byAddress(address)
    if (service) return { type: 'service', service }
    return this.#locator.locate(address, 0) ? { type: 'pods', addresses: [address] } : undefined
  }

  #hostsEntries(): HostsEntry[] {
    return [...this.#services.services()].flatMap(({ namespace, name, plan }) => {
      const service = { namespace, name }
      const whole = `${name}.${namespace}.svc.cluster.local.`
      const hostnames = new Set(plan.endpoints.flatMap(({ hostname }) => hostname || []))
      return [
        { service, addresses: this.#hostsAt(this.#named(whole, namespace, MOST_ALIASES), plan) },
        ...Array.from(hostnames, (hostname) => ({
          service,
          hostname,
          addresses: this.#hostsAt(this.#found({ type: 'endpoint', ...service, hostname }), plan),
        })),
      ]
    })
  }

  /**
   * The addresses of a destination, without a port, in a stable order. A destination is left out if none of its ports has the
   * declared number here, since another program may listen on that number.
   */
  #hostsAt(destination: Destination | undefined, { ports }: ServicePlan): string[] {
    if (destination?.type === 'service') {
      const { plan, listeners } = destination.service
      const lost = plan.ports.length > 0 && plan.ports.every(({ port }) => listeners.isMoved(port))
      return lost ? [] : [listeners.host]
    }
    if (destination?.type !== 'pods') return []
    const targets = ports.flatMap((port) => port.targets)
    return destination.addresses.flatMap((address) => {
      const own = targets.filter((target) => target.address === address)
      const lost =
        own.length > 0 && own.every(({ port }) => this.#locator.locate(address, port)?.port !== port)
      return (lost ? undefined : this.#locator.locate(address, 0)?.host) ?? []
    })
  }

  /** Each call begins with another address, as the answers of a name server do. */
  #located(addresses: readonly string[], port: number): SocketAddress[] {
    const first = addresses.length > 1 ? this.#turn++ % addresses.length : 0
    return [...addresses.slice(first), ...addresses.slice(0, first)].flatMap((address) => {
      const found = this.#locator.locate(address, port)
      return found ? [found] : []
    })
  }
}
