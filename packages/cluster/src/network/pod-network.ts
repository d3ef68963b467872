import { HomeostatError } from '@homeostat/api'
import { freePort, type Loopback } from './loopback.ts'

/** Where something really listens. */
export interface SocketAddress {
  readonly host: string
  readonly port: number
}

/** The address of one Pod. */
export interface PodAddress {
  /** What the API shows, of the Pod network 10.244.0.0/16. No packet is ever sent there. */
  readonly podIP: string
  /** The loopback address that stands for it. */
  readonly host: string
  /** Where to listen for a port of the Pod. */
  port(containerPort: number): number
}

interface Attached extends PodAddress {
  readonly index: number
}

/** 10.244.0.0 is the network, 10.244.0.1 the node; the second half of the block belongs to Services. */
const FIRST = 2
const LAST = 0x7ffe

/**
 * Gives every Pod an address of the Pod network and maps it to a loopback address of its own, so that
 * two Pods can use one port. Addresses are given out in turn, so that one is not used again at once.
 */
export class PodNetwork {
  readonly #loopback: Loopback
  readonly #byPod = new Map<string, Attached>()
  readonly #byIP = new Map<string, Attached>()
  #next = FIRST

  constructor(loopback: Loopback) {
    this.#loopback = loopback
  }

  /** The address of a Pod, by its uid: the same until it is detached. `ports` are those that it declares. */
  async attach(uid: string, ports: readonly number[] = []): Promise<PodAddress> {
    const known = this.#byPod.get(uid)
    if (known) return known
    const index = this.#take()
    const [third, fourth] = [index >> 8, index & 0xff]
    const mapped = new Map<number, number>()
    const attached: Attached = {
      index,
      podIP: `10.244.${third}.${fourth}`,
      host: this.#loopback.address(third, fourth),
      port: (containerPort) => mapped.get(containerPort) ?? containerPort,
    }
    this.#byPod.set(uid, attached)
    this.#byIP.set(attached.podIP, attached)
    for (const port of ports) {
      if (!this.#loopback.canListen(port)) mapped.set(port, await freePort())
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

  #take(): number {
    for (let tries = FIRST; tries <= LAST; tries++) {
      const index = this.#next
      this.#next = index >= LAST ? FIRST : index + 1
      const last = index & 0xff
      if (last !== 0 && last !== 0xff && !this.#byIP.has(`10.244.${index >> 8}.${last}`)) return index
    }
    throw new HomeostatError(
      'POD_ADDRESSES_EXHAUSTED',
      `all addresses of the Pod network are taken by ${this.#byPod.size} Pods: delete some`,
    )
  }
}
