import { X509Certificate } from 'node:crypto'
import type { Clock } from '@homeostat/api'
import type { ClusterConfig } from '../configuration/index.ts'
import { TransportError } from '../transport/index.ts'

/**
 * What to say when a server does not know who asks although a client certificate was shown: where that has expired by
 * this machine's clock, that is why. The server's word counts, so it is asked first.
 */
export function expiredCertificate(
  { server, source, tls }: ClusterConfig,
  clock: Clock,
): TransportError | undefined {
  if (tls.cert === undefined) return undefined
  const { validToDate } = new X509Certificate(tls.cert)
  if (validToDate.getTime() > clock.now()) return undefined
  return new TransportError(
    'TLS_CLIENT_EXPIRED',
    `the server ${server} does not accept the client certificate of ${source}: it expired at ${validToDate.toISOString()}. Renew it (with kubeadm certs renew admin.conf, or with the tool that issued it), or fetch the kubeconfig again.`,
  )
}
