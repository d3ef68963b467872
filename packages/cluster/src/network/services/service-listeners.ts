import { HomeostatError, type Clock } from '@homeostat/api'
import { usablePort, type Locator, type Loopback, type SocketAddress } from '../addresses/index.ts'
import { Backends } from './backends.ts'
import type { ServicePlan, ServicePortPlan } from './service-plan.ts'
import { TcpProxy, type Choice, type Route } from '../tcp/index.ts'

/** The address of the node, on which NodePorts are. */
const NODE_HOST = '127.0.0.1'

interface PortListener {
  readonly backends: Backends
  readonly route: Route
  readonly proxy: TcpProxy
  node: { readonly port: number; readonly proxy: TcpProxy } | undefined
}

/**
 * The listeners of one Service on its own loopback address: one for each port, open while an endpoint is there to
 * connect to. So a Service without endpoints refuses connections, as it does elsewhere. Open connections outlive the
 * endpoint's removal from the Service.
 */
export class ServiceListeners {
  readonly host: string
  readonly #around: { readonly loopback: Loopback; readonly locator: Locator; readonly clock: Clock }
  readonly #addresses = new Map<number, Promise<SocketAddress>>()
  readonly #ports = new Map<number, PortListener>()
  readonly #draining = new Set<TcpProxy>()
  readonly #moved = new Set<number>()

  constructor(
    host: string,
    around: { readonly loopback: Loopback; readonly locator: Locator; readonly clock: Clock },
  ) {
    this.host = host
    this.#around = around
  }

  /** Where a port of the Service is. It stays there, whether or not it listens at the moment. */
  address(port: number): Promise<SocketAddress> {
    let address = this.#addresses.get(port)
    if (!address) {
      address = usablePort(this.#around.loopback, this.host, port).then((usable) => ({
        host: this.host,
        port: usable,
      }))
      this.#addresses.set(port, address)
    }
    return address
  }

  /**
   * Finds ports that are served on another port of this machine. Returns those that it has not returned before, with
   * their actual ports.
   */
  async findMoved(ports: readonly number[]): Promise<(SocketAddress & { readonly declared: number })[]> {
    const places = await Promise.all(
      ports.map(async (declared) => ({ declared, ...(await this.address(declared)) })),
    )
    const moved = places.filter(({ declared, port }) => port !== declared && !this.#moved.has(declared))
    for (const { declared } of moved) this.#moved.add(declared)
    return moved
  }

  /** Whether another port was chosen because this one is in use. */
  isMoved(port: number): boolean {
    return this.#moved.has(port)
  }

  /** The places that a connection to a port of the Service may go to; `undefined` where it has no such port. */
  choices(port: number, client: string): readonly Choice[] | undefined {
    const listener = this.#ports.get(port)
    return listener && this.#order(listener.backends, client)
  }

  /** Opens and closes listeners according to the plan. Returns a sentence for each that could not be opened. */
  async apply(plan: ServicePlan): Promise<string[]> {
    const problems: string[] = []
    const attempt = async (open: () => Promise<unknown>): Promise<void> => {
      try {
        await open()
      } catch (error) {
        if (!(error instanceof HomeostatError)) throw error
        problems.push(error.message)
      }
    }
    for (const [number, listener] of this.#ports) {
      if (!plan.ports.some(({ port }) => port === number)) this.#remove(number, listener)
    }
    for (const port of plan.ports) {
      const listener = this.#listener(port)
      listener.backends.use(port.targets, plan.affinitySeconds)
      const open = plan.clusterIP !== undefined && port.targets.length > 0
      await attempt(() => this.#setOpen(listener, port, open))
      await attempt(() => this.#setNodePort(listener, port, open))
    }
    return problems
  }

  /** Stops listening. Open connections continue until they end by themselves. */
  shut(): void {
    for (const [number, listener] of this.#ports) this.#remove(number, listener)
  }

  /** Stops listening and ends every connection. */
  async close(): Promise<void> {
    this.shut()
    await Promise.all([...this.#draining].map((proxy) => proxy.close()))
  }

  /** Whether no connection is open any more. */
  get idle(): boolean {
    return this.#ports.size === 0 && this.#draining.size === 0
  }

  #listener({ port }: ServicePortPlan): PortListener {
    const known = this.#ports.get(port)
    if (known) return known
    const backends = new Backends(this.#around.clock)
    const route: Route = (client) => this.#order(backends, client)
    const listener: PortListener = { backends, route, proxy: new TcpProxy(route), node: undefined }
    this.#ports.set(port, listener)
    return listener
  }

  #order(backends: Backends, client: string): Choice[] {
    return backends.order(client).flatMap((target) => {
      const address = this.#around.locator.locate(target.address, target.port)
      return address ? [{ address, connected: () => backends.connected(client, target) }] : []
    })
  }

  async #setOpen({ proxy }: PortListener, { port }: ServicePortPlan, open: boolean): Promise<void> {
    if (!open) proxy.shut()
    else if (!proxy.listening) {
      const address = await this.address(port)
      await proxy.open(address.host, address.port)
    }
  }

  async #setNodePort(listener: PortListener, { nodePort }: ServicePortPlan, open: boolean): Promise<void> {
    if (listener.node && listener.node.port !== nodePort) {
      this.#drain(listener.node.proxy)
      listener.node = undefined
    }
    if (nodePort === undefined) return
    listener.node ??= { port: nodePort, proxy: new TcpProxy(listener.route) }
    const { proxy } = listener.node
    if (!open) proxy.shut()
    else if (!proxy.listening) await proxy.open(NODE_HOST, nodePort)
  }

  #remove(number: number, listener: PortListener): void {
    this.#ports.delete(number)
    this.#drain(listener.proxy)
    if (listener.node) this.#drain(listener.node.proxy)
  }

  #drain(proxy: TcpProxy): void {
    this.#draining.add(proxy)
    void proxy.drain().then(() => this.#draining.delete(proxy))
  }
}
