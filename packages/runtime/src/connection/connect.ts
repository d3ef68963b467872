import { checkOptionNames, type ApiHandler } from '@homeostat/api'
import type { ClusterConfig } from '../configuration/index.ts'
import { directTransport, type Transport } from '../transport/index.ts'
import { NETWORK_OPTIONS, networkTransport, type NetworkTransportOptions } from './network-transport.ts'

/** Where a server is: over the network, or a function of this process. */
export type Target = ClusterConfig | { readonly handler: ApiHandler }

/** A transport to the server. It opens no connection before the first request. */
export function connect(target: Target, options: NetworkTransportOptions): Transport {
  checkOptionNames(options, NETWORK_OPTIONS)
  return 'handler' in target
    ? directTransport(target.handler, { clock: options.clock })
    : networkTransport(target, options)
}
