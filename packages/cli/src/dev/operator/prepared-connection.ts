import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@homeostat/api'
import { connect, loadConfig, type ClusterConfig, type Transport } from 'homeostat'
import type { ClusterChoice } from './messages.ts'

/**
 * A connection to the cluster that is opened before it is needed: reading a kubeconfig and the TLS handshake take
 * as long as the rest of a start.
 */
export class PreparedConnection {
  readonly #clock: Clock
  #config: ClusterConfig | undefined
  #transport: Transport | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Connects to the cluster. Ignores a failure: `take`, or the first request of the operator, fails in the same
   * way.
   */
  async prepare({ kubeconfig, context }: ClusterChoice): Promise<void> {
    try {
      this.#config = loadConfig({ kubeconfig, context })
      this.#transport = connect(this.#config, { clock: this.#clock })
      await this.#transport.send({
        method: 'GET',
        path: '/version',
        query: new URLSearchParams(),
        headers: {},
      })
    } catch {
      // The operator has not been started, so nothing is reported.
    }
  }

  /** The transport to the cluster: the prepared one, unless the kubeconfig has changed since. */
  async take({ kubeconfig, context }: ClusterChoice): Promise<Transport> {
    const config = loadConfig({ kubeconfig, context })
    if (this.#transport && isDeepStrictEqual(config, this.#config)) return this.#transport
    await this.#transport?.close()
    return connect(config, { clock: this.#clock })
  }
}
