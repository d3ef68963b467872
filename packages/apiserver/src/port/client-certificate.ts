import { X509Certificate } from 'node:crypto'
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { authenticated, type CertificateUser, type User } from '../auth/index.ts'

/** The attribute of a certificate's subject with the user's uid. */
const UID = '1.3.6.1.4.1.57683.2'
const CREDENTIAL = 'authentication.kubernetes.io/credential-id'

/** The user of a connection's certificate, and its period of validity, in milliseconds. */
interface Identity {
  readonly user: User
  readonly from: number
  readonly until: number
}

/**
 * Reads the user of a client certificate: its common name is the user, its organizations are the groups. OpenSSL
 * checks the certificate by the machine's time, and only during a full handshake. So this class checks the dates of
 * the certificate and of the authorities above it on each request, by the server's clock: open connections and
 * resumed sessions end with the certificate. Node does not show intermediate authorities that only the client knows:
 * their dates count during the handshake alone, unless the server lists them among its own authorities.
 */
export class ClientCertificates {
  readonly #now: () => number
  /** The authorities whose certificates count; undefined for all that the port trusts. */
  readonly #authorities: readonly X509Certificate[] | undefined
  readonly #bySocket = new WeakMap<TLSSocket, { readonly identity: Identity | 'invalid' | undefined }>()

  /** With `authorities`, in PEM, only their certificates are valid: a port may trust others for another purpose. */
  constructor(now: () => number, authorities?: readonly string[]) {
    this.#now = now
    this.#authorities = authorities?.flatMap(certificatesIn)
  }

  /** The user of a request that arrives now; `invalid` when the certificate is not trusted, or not at this time. */
  userOf(socket: TLSSocket): CertificateUser {
    let known = this.#bySocket.get(socket)
    if (!known) this.#bySocket.set(socket, (known = { identity: this.#read(socket) }))
    const { identity } = known
    if (identity === undefined || identity === 'invalid') return identity
    const now = this.#now()
    return identity.from <= now && now <= identity.until ? identity.user : 'invalid'
  }

  #read(socket: TLSSocket): Identity | 'invalid' | undefined {
    const certificate = socket.getPeerCertificate(true)
    if (!certificate?.subject) return undefined
    if (!socket.authorized) return 'invalid'
    if (this.#authorities && !isIssuedBy(certificate, this.#authorities)) return 'invalid'
    const subject = certificate.subject as unknown as Readonly<Record<string, string | string[] | undefined>>
    const [name] = listed(subject['CN'])
    if (!name) return undefined
    const [uid] = listed(subject[UID])
    const user = authenticated({
      name,
      uid,
      groups: listed(subject['O']),
      extra: { [CREDENTIAL]: [digest(certificate)] },
    })
    return { user, ...validity(certificate) }
  }
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => new X509Certificate(block))
}

/**
 * Whether one of the authorities has issued a certificate, or an authority above it. Authorities may share a name, so each signature is
 * verified. OpenSSL has checked the dates and purposes before.
 */
function isIssuedBy(certificate: DetailedPeerCertificate, authorities: readonly X509Certificate[]): boolean {
  const seen = new Set<string>()
  let [shown, current] = [certificate, new X509Certificate(certificate.raw)]
  while (!seen.has(current.fingerprint256)) {
    seen.add(current.fingerprint256)
    const signed = current
    if (authorities.some((one) => signed.checkIssued(one) && signed.verify(one.publicKey))) return true
    const above: DetailedPeerCertificate | undefined = shown.issuerCertificate
    if (!above?.raw) return false
    const issuer = new X509Certificate(above.raw)
    if (!issuer.ca || !signed.verify(issuer.publicKey)) return false
    ;[shown, current] = [above, issuer]
  }
  return false
}

/** The period in which a certificate and all known authorities above it are valid. */
function validity(certificate: DetailedPeerCertificate): { from: number; until: number } {
  let from = -Infinity
  let until = Infinity
  const seen = new Set<string>()
  let current: DetailedPeerCertificate | undefined = certificate
  // A root is its own issuer.
  while (current && !seen.has(current.fingerprint256)) {
    seen.add(current.fingerprint256)
    from = Math.max(from, Date.parse(current.valid_from))
    until = Math.min(until, Date.parse(current.valid_to))
    current = current.issuerCertificate
  }
  return { from, until }
}

function listed(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}

function digest({ fingerprint256 }: DetailedPeerCertificate): string {
  return `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`
}
