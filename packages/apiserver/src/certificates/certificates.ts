import {
  CertificateAuthority as Authority,
  type Certificate,
  type CertificateRequest,
  type Validity,
} from '@homeostat/api/certificates'

export type { Certificate, CertificateRequest, Validity } from '@homeostat/api/certificates'

/** Wide enough for a server whose clock differs from that of its clients. */
export const LONGEST: Validity = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }
const NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']
const ADDRESSES = ['127.0.0.1', '::1']
const ISSUER = 'homeostat-ca'

/** Signs certificates for the ports of an API server and for their clients. */
export class CertificateAuthority {
  readonly #authority: Authority

  private constructor(authority: Authority) {
    this.#authority = authority
  }

  static async create(validity: Validity = LONGEST): Promise<CertificateAuthority> {
    return new CertificateAuthority(await Authority.create(ISSUER, validity))
  }

  /** The authority that {@link exported} was called on. */
  static async restore(stored: Certificate): Promise<CertificateAuthority> {
    return new CertificateAuthority(await Authority.restore(ISSUER, stored))
  }

  /** The certificate that clients must trust, in PEM. */
  get certificate(): string {
    return this.#authority.certificate
  }

  /** The authority's own certificate with its private key. */
  exported(): Promise<Certificate> {
    return this.#authority.exported()
  }

  /** A certificate for a port at the given host, and for its other names and addresses. */
  forServer(host: string, names: readonly string[] = []): Promise<Certificate> {
    return this.#authority.forServer('kube-apiserver', [...NAMES, ...ADDRESSES, host, ...names], LONGEST)
  }

  /** Signs a request that its owner has signed. Resolves to the certificate, in PEM. */
  sign(
    request: CertificateRequest,
    options: { readonly usages: readonly string[]; readonly validity: Validity },
  ): Promise<string> {
    return this.#authority.sign(request, options)
  }

  /** A client certificate for a user and its groups. */
  forClient(
    user: { readonly name: string; readonly groups: readonly string[] },
    validity: Validity = LONGEST,
  ): Promise<Certificate> {
    return this.#authority.forClient({ commonName: user.name, organizations: user.groups }, validity)
  }
}
