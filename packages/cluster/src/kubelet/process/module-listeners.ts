import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'

const LISTEN = 'tracing:net.server.listen:asyncStart'
const LOOPBACK = ['127.0.0.1', '::1']

/**
 * The servers that a module has opened. All modules share 127.0.0.1, so a connection to a Pod must be kept
 * from the servers of other parts of this process. Node reports when a server listens, and in which
 * asynchronous context.
 */
export class ModuleListeners implements Disposable {
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #servers = new Set<Server>()
  readonly #note = (message: unknown): void => {
    const { server } = message as { server: Server }
    if (!this.#inside.getStore()) return
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
  }

  constructor() {
    subscribe(LISTEN, this.#note)
  }

  /** Servers that this work makes, now or later, count. */
  within<T>(work: () => T): T {
    return this.#inside.run(true, work)
  }

  /** The address of `localhost` on which one of the servers waits for connections to a port; `undefined` where none does. */
  localAddress(port: number): string | undefined {
    for (const server of this.#servers) {
      const bound = server.address()
      if (bound === null || typeof bound === 'string' || bound.port !== port) continue
      if (LOOPBACK.includes(bound.address)) return bound.address
    }
    return undefined
  }

  [Symbol.dispose](): void {
    unsubscribe(LISTEN, this.#note)
    this.#servers.clear()
  }
}
