import { HomeostatError } from '@homeostat/api'
import { usablePort, type Loopback } from './loopback.ts'
import { podSubnet, type PodSubnet } from './pod-subnet.ts'

/** The real address and port of a listener on this machine. */
export interface SocketAddress {
  readonly host: string
  readonly port: number
}

/** The address of one Pod. */
export interface PodAddress {
  /** The address that the API shows, from the Pod network 10.244.0.0/16. No packet is ever sent there. */
  readonly podIP: string
  /** The loopback address that it is mapped to. */
  readonly host: string
  /** The port of this machine to listen on for a port of the Pod. */
  port(containerPort: number): number
  /** The declared ports of the Pod that are mapped to other ports here, because the system does not allow them. */
  readonly movedPorts: ReadonlyMap<number, number>
}

/**
 * Gives every Pod of a node an address of the node's part of the Pod network and maps it to its own loopback address,
 * so that two Pods can use one port. Addresses are given out in turn, so that one is not used again at once.
 */
export class PodNetwork {
  readonly #loopback: Loopback
  readonly #subnet: PodSubnet
  readonly #byPod = new Map<string, PodAddress>()
  readonly #byIP = new Map<string, PodAddress>()
  #next: number

  constructor(loopback: Loopback, subnet: PodSubnet = podSubnet(0)) {
    this.#loopback = loopback
    this.#subnet = subnet
    this.#next = subnet.first
  }

  /**
   * The address of a Pod, by its uid: the same until it is detached. `ports` are those that it declares; `preferred` is
   * the address that it had, and gets again if no other Pod has it.
   */
  async attach(uid: string, ports: readonly number[] = [], preferred?: string): Promise<PodAddress> {
    const known = this.#byPod.get(uid)
    if (known) return known
    const index = this.#again(preferred) ?? this.#take()
    const [third, fourth] = [index >> 8, index & 0xff]
    const movedPorts = new Map<number, number>()
    const host = this.#loopback.address(third, fourth)
    const attached: PodAddress = {
      podIP: podIP(index),
      host,
      port: (containerPort) => movedPorts.get(containerPort) ?? containerPort,
      movedPorts,
    }
    this.#byPod.set(uid, attached)
    this.#byIP.set(attached.podIP, attached)
    for (const port of ports) {
      const usable = await usablePort(this.#loopback, host, port)
      if (usable !== port) movedPorts.set(port, usable)
    }
    return attached
  }

  detach(uid: string): void {
    const attached = this.#byPod.get(uid)
    if (!attached) return
    this.#byPod.delete(uid)
    this.#byIP.delete(attached.podIP)
  }

  /** Where a port of a Pod address really is; `undefined` when no Pod has the address. */
  locate(podIP: string, port: number): SocketAddress | undefined {
    const attached = this.#byIP.get(podIP)
    return attached && { host: attached.host, port: attached.port(port) }
  }

  #again(preferred: string | undefined): number | undefined {
    if (preferred === undefined || this.#byIP.has(preferred)) return undefined
    const [third, fourth] = preferred.split('.').slice(2).map(Number)
    const index = ((third ?? 0) << 8) | (fourth ?? 0)
    return podIP(index) === preferred && this.#fits(index) ? index : undefined
  }

  #take(): number {
    const { first, last } = this.#subnet
    for (let tries = first; tries <= last; tries++) {
      const index = this.#next
      this.#next = index >= last ? first : index + 1
      if (this.#fits(index) && !this.#byIP.has(podIP(index))) return index
    }
    throw new HomeostatError(
      'POD_ADDRESSES_EXHAUSTED',
      `all addresses of the Pod network ${this.#subnet.cidr} are taken by ${this.#byPod.size} Pods: delete some, or start the cluster with more nodes`,
    )
  }

  /** Some programs take an address that ends in 0 or 255 for one of a whole network. */
  #fits(index: number): boolean {
    const last = index & 0xff
    return index >= this.#subnet.first && index <= this.#subnet.last && last !== 0 && last !== 0xff
  }
}

function podIP(index: number): string {
  return `10.244.${index >> 8}.${index & 0xff}`
}
