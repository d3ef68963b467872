import { formatKey, HomeostatError, type ObjectOf } from '@homeostat/api'
import { EndpointSlice, Service } from '@homeostat/api/kinds'
import type { Reader } from 'homeostat'
import type { Loopback } from './loopback.ts'
import type { PodNetwork, SocketAddress } from './pod-network.ts'
import { SERVICE_NAME_LABEL, serviceTargets } from './service-targets.ts'
import { TcpProxy, type Targets } from './tcp-proxy.ts'

/** Names a Service. */
export interface ServiceKey {
  readonly namespace: string
  readonly name: string
}

/** A port of this machine that leads to a Service. */
export interface Forward extends AsyncDisposable, SocketAddress {
  /** The address for a browser. */
  readonly url: string
  close(): Promise<void>
}

type ServicePort = NonNullable<NonNullable<ObjectOf<typeof Service>['spec']>['ports']>[number]

/** The second half of the block, after the Pods. */
const FIRST_THIRD = 0x80

/**
 * Makes Services reachable: each has a loopback address of its own, and a connection goes to the Pods
 * that are ready when it comes. Nothing listens before somebody asks for the address.
 */
export class ServiceNetwork implements AsyncDisposable {
  readonly #reader: Reader
  readonly #pods: PodNetwork
  readonly #loopback: Loopback
  readonly #hosts = new Map<string, string>()
  readonly #addresses = new Map<string, Promise<TcpProxy>>()
  readonly #forwards = new Set<TcpProxy>()

  constructor(options: { reader: Reader; pods: PodNetwork; loopback: Loopback }) {
    this.#reader = options.reader
    this.#pods = options.pods
    this.#loopback = options.loopback
  }

  /**
   * The loopback address of a Service's port (its number or its name). It stays the same while the
   * cluster runs, whatever happens to the Pods or to the Service.
   */
  async address(service: ServiceKey, port?: number | string): Promise<SocketAddress> {
    const found = await this.#port(service, port)
    const key = `${formatKey(service)}:${found.name ?? found.port}`
    let proxy = this.#addresses.get(key)
    if (!proxy) {
      const wanted = this.#loopback.canListen(found.port) ? found.port : 0
      proxy = TcpProxy.listen(this.#host(service), wanted, this.#targets(service, found))
      this.#addresses.set(key, proxy)
      proxy.catch(() => this.#addresses.delete(key))
    }
    const { host, port: listening } = await proxy
    return { host, port: listening }
  }

  /** Opens a port of 127.0.0.1 to a Service: `localPort`, or any free one. */
  async forward(options: {
    service: ServiceKey
    port?: number | string | undefined
    localPort?: number | undefined
  }): Promise<Forward> {
    const port = await this.#port(options.service, options.port)
    const targets = this.#targets(options.service, port)
    const proxy = await TcpProxy.listen('127.0.0.1', options.localPort ?? 0, targets)
    this.#forwards.add(proxy)
    const close = (): Promise<void> => {
      this.#forwards.delete(proxy)
      return proxy.close()
    }
    return {
      host: proxy.host,
      port: proxy.port,
      url: `http://localhost:${proxy.port}`,
      close,
      [Symbol.asyncDispose]: close,
    }
  }

  async close(): Promise<void> {
    const addresses = await Promise.allSettled(this.#addresses.values())
    const proxies = addresses.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    await Promise.all([...proxies, ...this.#forwards].map((proxy) => proxy.close()))
    this.#addresses.clear()
    this.#forwards.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #targets(service: ServiceKey, port: ServicePort): Targets {
    return async () => {
      const slices = await this.#reader.list(EndpointSlice, {
        namespace: service.namespace,
        labels: { [SERVICE_NAME_LABEL]: service.name },
      })
      return serviceTargets(slices, port.name, this.#pods)
    }
  }

  async #port(key: ServiceKey, wanted: number | string | undefined): Promise<ServicePort> {
    const service = await this.#reader.get(Service, key)
    if (!service) {
      throw new HomeostatError('SERVICE_NOT_FOUND', `there is no Service ${formatKey(key)}: create it first`)
    }
    const ports = service.spec?.ports ?? []
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

  #host(service: ServiceKey): string {
    const key = formatKey(service)
    let host = this.#hosts.get(key)
    if (host === undefined) {
      const index = this.#hosts.size
      host = this.#loopback.address(FIRST_THIRD + Math.floor(index / 254), 1 + (index % 254))
      this.#hosts.set(key, host)
    }
    return host
  }
}
