import { formatKey, HomeostatError, type Clock } from '@homeostat/api'
import { EndpointSlice, Service } from '@homeostat/api/kinds'
import { controller, type Controller, type Reader, type ReconcileContext, type Result } from 'homeostat'
import type { Locator, Loopback, SocketAddress } from '../addresses/index.ts'
import { hasClusterIP, serviceEnvironment } from './service-environment.ts'
import { ServiceListeners } from './service-listeners.ts'
import { planService, SERVICE_NAME_LABEL, type ServicePlan } from './service-plan.ts'
import { TcpProxy, type Choice } from '../tcp/index.ts'

/** Names a Service. */
export interface ServiceKey {
  readonly namespace: string
  readonly name: string
}

/** A port of this machine that is forwarded to a Service. */
export interface Forward extends AsyncDisposable, SocketAddress {
  /** The address for a browser. */
  readonly url: string
  close(): Promise<void>
}

/** The state of a Service in the network. */
export interface KnownService {
  readonly plan: ServicePlan
  readonly listeners: ServiceListeners
}

export interface ServiceNetworkOptions {
  /** Reads Services and their slices from the API itself. */
  readonly reader: Reader
  readonly locator: Locator
  readonly loopback: Loopback
  readonly clock: Clock
}

type ServicePort = NonNullable<Service['spec']['ports']>[number]

/** The second half of the block, after the Pods. */
const FIRST_THIRD = 0x80
const MOST_SERVICES = 0x7f * 254
/** When a port that could not be opened is tried again. */
const RETRY = '15s'
const API_SERVICE: ServiceKey = { namespace: 'default', name: 'kubernetes' }

/**
 * Makes Services reachable: each has its own loopback address, and a connection goes to the Pods that are ready when it
 * comes. It is a controller like others, and follows Services and their slices.
 */
export class ServiceNetwork implements AsyncDisposable {
  readonly controller: Controller
  readonly #options: ServiceNetworkOptions
  readonly #listeners = new Map<string, ServiceListeners>()
  readonly #plans = new Map<string, ServicePlan>()
  readonly #byAddress = new Map<string, string>()
  readonly #leaving = new Set<ServiceListeners>()
  readonly #forwards = new Set<TcpProxy>()
  readonly #followers = new Set<() => void>()
  #next = 0

  constructor(options: ServiceNetworkOptions) {
    this.#options = options
    this.controller = controller('kube-proxy')
      .for(Service)
      .watches(EndpointSlice, ({ metadata }) => {
        const name = metadata.labels?.[SERVICE_NAME_LABEL]
        return name ? [{ namespace: metadata.namespace, name }] : []
      })
      .reconcile((request, context) => this.#reconcile(request, context))
  }

  /**
   * The loopback address of a Service's port (its number or its name). It stays the same while the Service is there,
   * whatever happens to its Pods; nothing listens there while no Pod is ready.
   */
  async address(service: ServiceKey, port?: number | string): Promise<SocketAddress> {
    const found = await this.#port(service, port)
    return this.#listenersOf(service).address(found.port)
  }

  /**
   * Opens a port of 127.0.0.1 to a Service: `localPort`, or any free one. The Service need not be there yet: a connection
   * that comes before it has a ready Pod is closed.
   */
  async forward(options: {
    service: ServiceKey
    port?: number | string | undefined
    localPort?: number | undefined
  }): Promise<Forward> {
    const { service, port } = options
    const proxy = new TcpProxy(() => this.#choicesNow(service, port))
    const listening = await proxy.open('127.0.0.1', options.localPort ?? 0)
    this.#forwards.add(proxy)
    const close = (): Promise<void> => {
      this.#forwards.delete(proxy)
      return proxy.close()
    }
    return { ...listening, url: `http://localhost:${listening.port}`, close, [Symbol.asyncDispose]: close }
  }

  /** A Service that the network has seen. The API may have it a moment earlier. */
  known(key: ServiceKey): KnownService | undefined {
    const text = formatKey(key)
    const [plan, listeners] = [this.#plans.get(text), this.#listeners.get(text)]
    return plan && listeners && { plan, listeners }
  }

  /** All Services that the network has seen. */
  *services(): Generator<ServiceKey & KnownService, void, undefined> {
    for (const text of this.#plans.keys()) {
      const [namespace = '', name = ''] = text.split('/')
      const known = this.known({ namespace, name })
      if (known) yield { namespace, name, ...known }
    }
  }

  /** Calls the function after every change of a Service or of its endpoints. */
  follow(changed: () => void): void {
    this.#followers.add(changed)
  }

  /** The Service that has the address. */
  byAddress(clusterIP: string): KnownService | undefined {
    const text = this.#byAddress.get(clusterIP)
    const [namespace = '', name = ''] = text?.split('/') ?? []
    return text === undefined ? undefined : this.known({ namespace, name })
  }

  /**
   * The variables by which a container of the namespace finds Services: with their own addresses for a container that connects through
   * this network, and with loopback addresses for a `process`. Without `links` only the API is among them.
   */
  async environment(
    namespace: string,
    { links, process }: { readonly links: boolean; readonly process: boolean },
  ): Promise<Record<string, string>> {
    const { reader } = this.#options
    const own = links ? await reader.list(Service, { namespace }) : []
    const isApi = ({ metadata }: Service): boolean => formatKey(metadata) === formatKey(API_SERVICE)
    const api = own.find(isApi) ?? (await reader.get(Service, API_SERVICE))
    const others = own.filter(({ metadata }) => !api || metadata.name !== api.metadata.name)
    const services = [...(api ? [api] : []), ...others].filter(hasClusterIP)
    const told = new Map<string, SocketAddress>()
    for (const { metadata, spec } of process ? services : []) {
      for (const { port } of spec.ports ?? []) {
        told.set(`${metadata.uid}:${port}`, await this.#listenersOf(metadata).address(port))
      }
    }
    return serviceEnvironment(services, (service, port) => {
      const other = told.get(`${service.metadata.uid}:${port}`)
      return other ?? { host: service.spec.clusterIP ?? '', port }
    })
  }

  async close(): Promise<void> {
    const listeners = [...this.#listeners.values(), ...this.#leaving]
    await Promise.all([...listeners, ...this.#forwards].map((one) => one.close()))
    this.#listeners.clear()
    this.#plans.clear()
    this.#byAddress.clear()
    this.#leaving.clear()
    this.#forwards.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #reconcile(request: ServiceKey, { client, events }: ReconcileContext): Promise<Result | void> {
    const service = await client.get(Service, request)
    if (!service) {
      this.#forget(request)
      this.#changed()
      return undefined
    }
    const plan = planService(service, await client.list(EndpointSlice, slicesOf(request)))
    this.#remember(request, plan)
    for (const problem of plan.problems) events.warning(service, 'UnsupportedProtocol', problem)
    for (const note of await this.#moved(request, plan)) events.warning(service, 'PortMoved', note)
    const failures = await this.#listenersOf(request).apply(plan)
    this.#changed()
    for (const failure of failures) events.warning(service, 'PortUnavailable', failure)
    return failures.length > 0 ? { requeueAfter: RETRY } : undefined
  }

  /**
   * One message for each port that is served on another port although the Service has its own address: a client that
   * knows only the name and the declared port does not reach it. Where all share one address, this is always so, and
   * not reported.
   */
  async #moved(key: ServiceKey, { clusterIP, ports }: ServicePlan): Promise<string[]> {
    if (clusterIP === undefined || !this.#options.loopback.wide) return []
    const moved = await this.#listenersOf(key).findMoved(ports.map(({ port }) => port))
    return moved.map(
      ({ declared, host, port }) =>
        `port ${declared} is served at ${host}:${port}, because this machine cannot open ${declared}: processes other than Node reach it by its environment variables, not by its name`,
    )
  }

  #changed(): void {
    for (const changed of this.#followers) changed()
  }

  #remember(key: ServiceKey, plan: ServicePlan): void {
    const text = formatKey(key)
    const before = this.#plans.get(text)?.clusterIP
    if (before !== undefined && before !== plan.clusterIP) this.#byAddress.delete(before)
    this.#plans.set(text, plan)
    if (plan.clusterIP !== undefined) this.#byAddress.set(plan.clusterIP, text)
  }

  /** The Service is gone. Open connections continue until they end by themselves. */
  #forget(key: ServiceKey): void {
    const text = formatKey(key)
    const clusterIP = this.#plans.get(text)?.clusterIP
    if (clusterIP !== undefined) this.#byAddress.delete(clusterIP)
    this.#plans.delete(text)
    const listeners = this.#listeners.get(text)
    this.#listeners.delete(text)
    for (const one of this.#leaving) if (one.idle) this.#leaving.delete(one)
    if (!listeners) return
    listeners.shut()
    this.#leaving.add(listeners)
  }

  #listenersOf(key: ServiceKey): ServiceListeners {
    const text = formatKey(key)
    let listeners = this.#listeners.get(text)
    if (!listeners) {
      listeners = new ServiceListeners(this.#host(), this.#options)
      this.#listeners.set(text, listeners)
    }
    return listeners
  }

  /** The next address that no other Service has. */
  #host(): string {
    const { loopback } = this.#options
    const taken = new Set([...this.#listeners.values(), ...this.#leaving].map(({ host }) => host))
    for (let tries = 0; tries < MOST_SERVICES; tries++) {
      const index = this.#next
      this.#next = (index + 1) % MOST_SERVICES
      const host = loopback.address(FIRST_THIRD + Math.floor(index / 254), 1 + (index % 254))
      if (!loopback.wide || !taken.has(host)) return host
    }
    throw new HomeostatError(
      'SERVICE_ADDRESSES_EXHAUSTED',
      `all ${MOST_SERVICES} addresses for Services are in use: delete some Services`,
    )
  }

  /** Where a connection to a Service goes, by the current state of the API. */
  async #choicesNow(key: ServiceKey, wanted: number | string | undefined): Promise<readonly Choice[]> {
    const { port } = await this.#port(key, wanted)
    const known = this.known(key)?.listeners.choices(port, '127.0.0.1')
    if (known && known.length > 0) return known
    const { reader, locator } = this.#options
    const service = await reader.get(Service, key)
    const plan = service && planService(service, await reader.list(EndpointSlice, slicesOf(key)))
    const targets = plan?.ports.find((entry) => entry.port === port)?.targets ?? []
    return targets.flatMap((target) => {
      const address = locator.locate(target.address, target.port)
      return address ? [{ address }] : []
    })
  }

  async #port(key: ServiceKey, wanted: number | string | undefined): Promise<ServicePort> {
    const service = await this.#options.reader.get(Service, key)
    if (!service) {
      throw new HomeostatError('SERVICE_NOT_FOUND', `there is no Service ${formatKey(key)}: create it first`)
    }
    const ports = service.spec.ports ?? []
    const found =
      wanted === undefined && ports.length === 1
        ? ports[0]
        : ports.find((port) => port.port === wanted || (port.name !== undefined && port.name === wanted))
    if (found) return found
    const known = ports.map((port) => (port.name ? `${port.port} (${port.name})` : String(port.port)))
    throw new HomeostatError(
      'SERVICE_PORT_NOT_FOUND',
      `the Service ${formatKey(key)} has no port ${wanted ?? '(none was given)'}: it has ${known.join(', ') || 'none'}`,
    )
  }
}

function slicesOf({ namespace, name }: ServiceKey) {
  return { namespace, labels: { [SERVICE_NAME_LABEL]: name } }
}
