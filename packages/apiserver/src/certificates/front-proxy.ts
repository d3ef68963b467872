import { CertificateAuthority as Authority } from '@homeostat/api/certificates'
import { LONGEST } from './certificates.ts'

/** By what an API server proves to others that it names the users of the requests that it passes on. */
export interface FrontProxyIdentity {
  /** The authority that has signed the certificate, in PEM: what the others trust. */
  readonly authority: string
  /** The certificate, in PEM. */
  readonly certificate: string
  /** Its private key, in PEM. */
  readonly key: string
}

/** The common name of the certificate: others trust no other one. */
export const FRONT_PROXY_NAME = 'front-proxy-client'

/** A new identity. The key of its authority is thrown away, so that there never is another. */
export async function newFrontProxy(): Promise<FrontProxyIdentity> {
  const authority = await Authority.create('homeostat-front-proxy-ca', LONGEST)
  const issued = await authority.forClient({ commonName: FRONT_PROXY_NAME }, LONGEST)
  return { authority: authority.certificate, ...issued }
}
