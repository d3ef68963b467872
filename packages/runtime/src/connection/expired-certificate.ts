import { X509Certificate } from 'node:crypto'
import type { Clock } from '@homeostat/api'
import type { ClusterConfig } from '../configuration/index.ts'
import { TransportError } from '../transport/index.ts'

/**
 * The explanation of a 401 answer to a request with a client certificate, if that certificate has expired by this
 * machine's clock. The server decides, so the request is sent even with a certificate that seems expired.
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
