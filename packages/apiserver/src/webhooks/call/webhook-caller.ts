import type { Registry } from '../../registry/index.ts'
import type { CallWebhook } from './call-webhook.ts'
import type { NetworkWebhooks, ServiceConnect } from './call-over-network.ts'
import { resolveService } from './resolve-service.ts'

/** Calls webhooks over the network. The first call loads the modules of Node that it needs. */
export class WebhookCaller {
  readonly #registry: Registry
  readonly #connect: ServiceConnect | undefined
  #network: Promise<NetworkWebhooks> | undefined

  constructor(registry: Registry, connect: ServiceConnect | undefined) {
    this.#registry = registry
    this.#connect = connect
  }

  readonly call: CallWebhook = async (call) => {
    // A simulated clock stands still until the answer is there.
    const busy = this.#registry.clock.busy('calling a webhook over the network')
    try {
      const network = await (this.#network ??= this.#load())
      return await network.call(call)
    } finally {
      busy.end()
    }
  }

  async close(): Promise<void> {
    const network = await this.#network
    network?.close()
  }

  async #load(): Promise<NetworkWebhooks> {
    const { NetworkWebhooks } = await import('./call-over-network.ts')
    const resolve = (namespace: string, name: string, port: number) =>
      resolveService(this.#registry, namespace, name, port)
    return new NetworkWebhooks(resolve, this.#connect)
  }
}
