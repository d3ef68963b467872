import { CertificateAuthority as Authority } from '@homeostat/api/certificates'
import { LONGEST } from './certificates.ts'
import { FRONT_PROXY_NAME } from './front-proxy-name.ts'

/**
 * The client certificate by which extension API servers recognise this server. They then trust the users whom it names
 * in the requests that it passes on.
 */
export interface FrontProxyIdentity {
  /** The authority that has signed the certificate, in PEM. Extension API servers trust it. */
  readonly authority: string
  /** The certificate, in PEM. */
  readonly certificate: string
  /** Its private key, in PEM. */
  readonly key: string
}

/**
 * A new identity. The private key of its authority is discarded, so that the authority cannot sign another
 * certificate.
 */
export async function newFrontProxy(): Promise<FrontProxyIdentity> {
  const authority = await Authority.create('homeostat-front-proxy-ca', LONGEST)
  const issued = await authority.forClient({ commonName: FRONT_PROXY_NAME }, LONGEST)
  return { authority: authority.certificate, ...issued }
}
