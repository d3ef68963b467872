import type { PodNetwork, SocketAddress } from './pod-network.ts'

/** Finds the real address of a port of a cluster address; `undefined` where the address is not assigned. */
export interface Locator {
  locate(address: string, port: number): SocketAddress | undefined
}

/** All addresses of the cluster: those of the nodes' Pods, and single ports that other parts of the cluster serve. */
export class AddressBook implements Locator {
  readonly #networks: PodNetwork[] = []
  readonly #ports = new Map<string, SocketAddress>()

  add(network: PodNetwork): void {
    this.#networks.push(network)
  }

  /** Records that the port of the address is open. */
  announce(address: string, port: number, place: SocketAddress): void {
    this.#ports.set(`${address}:${port}`, place)
  }

  locate(address: string, port: number): SocketAddress | undefined {
    for (const network of this.#networks) {
      const found = network.locate(address, port)
      if (found) return found
    }
    return this.#ports.get(`${address}:${port}`)
  }
}
