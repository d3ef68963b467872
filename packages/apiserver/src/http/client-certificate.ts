import type { PeerCertificate, TLSSocket } from 'node:tls'
import { authenticated, type CertificateUser } from '../auth/index.ts'

/** Where a certificate's subject holds a user's uid. */
const UID = '1.3.6.1.4.1.57683.2'
const CREDENTIAL = 'authentication.kubernetes.io/credential-id'
const known = new WeakMap<TLSSocket, { user: CertificateUser }>()

/**
 * Who stands at the other end of a connection, by the client certificate: its common name is the user, its
 * organizations are the groups. Certificates end by the machine's own time.
 */
export function certificateUser(socket: TLSSocket): CertificateUser {
  let found = known.get(socket)
  if (!found) known.set(socket, (found = { user: read(socket) }))
  return found.user
}

function read(socket: TLSSocket): CertificateUser {
  const certificate = socket.getPeerCertificate()
  if (!certificate?.subject) return undefined
  if (!socket.authorized) return 'invalid'
  const subject = certificate.subject as unknown as Readonly<Record<string, string | string[] | undefined>>
  const [name] = listed(subject['CN'])
  if (!name) return undefined
  const [uid] = listed(subject[UID])
  return authenticated({
    name,
    uid,
    groups: listed(subject['O']),
    extra: { [CREDENTIAL]: [digest(certificate)] },
  })
}

function listed(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}

function digest({ fingerprint256 }: PeerCertificate): string {
  return `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`
}
