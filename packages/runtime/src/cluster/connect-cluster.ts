import type { Clock } from '@homeostat/api'
import type { MetricsRegistry } from '../telemetry/index.ts'
import { countedTransport, directTransport, type Transport } from '../transport/index.ts'
import type { CleanUp } from '../process/index.ts'
import type { ConnectionOptions } from './cluster-connection.ts'

/** The transport to a cluster, and the namespace that its configuration names. */
export interface ClusterTransport {
  readonly transport: Transport
  readonly namespace: string | undefined
  /**
   * A transport to the same server that shows this token, and no other credential. The caller closes it. Undefined where the transport was
   * given.
   */
  readonly connectAs: (token: string) => Promise<Transport | undefined>
}

/** Makes the transport to a cluster. Nothing is sent yet. A given transport is not closed. */
export async function connectCluster(
  { transport: given, config }: ConnectionOptions,
  shared: { readonly clock: Clock; readonly metrics: MetricsRegistry; readonly cleanUp: CleanUp },
): Promise<ClusterTransport> {
  const { clock, metrics, cleanUp } = shared
  if (given) {
    const transport = countedTransport(given, metrics)
    return { transport, namespace: undefined, connectAs: async () => undefined }
  }
  // Imported late, so that a manager with a given transport needs no modules of Node.
  const [{ loadConfig }, { connect }] = await Promise.all([
    import('../configuration/index.ts'),
    import('../connection/index.ts'),
  ])
  const target = config ?? loadConfig()
  const transport = cleanUp.use(connect(target, { clock }))
  return {
    transport: countedTransport(transport, metrics),
    namespace: 'namespace' in target ? target.namespace : undefined,
    connectAs: async (token) => {
      if ('handler' in target)
        return directTransport(target.handler, { clock, headers: { authorization: `Bearer ${token}` } })
      const { server, proxy, namespace, source } = target
      const { ca, serverName, insecureSkipVerify } = target.tls
      const tls = { ca, serverName, insecureSkipVerify }
      return connect({ server, tls, token, proxy, namespace, source }, { clock })
    },
  }
}
