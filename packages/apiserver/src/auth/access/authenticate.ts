import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { ANONYMOUS, type User } from './user.ts'

/** The result of reading a token: its user and audiences, or why it is not accepted. */
export interface TokenReading {
  readonly user?: User | undefined
  readonly audiences?: readonly string[] | undefined
  readonly problem?: string | undefined
}

/** Finds the user of a bearer token for one of the audiences; by default, for this server. */
export type TokenReader = (token: string, audiences?: readonly string[]) => Promise<TokenReading>

/** The user of a connection's client certificate; `invalid` when the certificate is not trusted. */
export type CertificateUser = User | 'invalid' | undefined

/**
 * The user who sends a request: from the connection's certificate, else from its bearer token. Without credentials it
 * is the anonymous user. A client is refused if none of its credentials is accepted.
 */
export async function authenticate(
  headers: Readonly<Record<string, string>>,
  read: TokenReader,
  certificate?: CertificateUser,
): Promise<User> {
  if (certificate && certificate !== 'invalid') return certificate
  const token = bearerToken(headers)
  if (token !== undefined) {
    const { user } = await read(token)
    if (user) return user
  } else if (certificate === undefined) {
    return ANONYMOUS
  }
  throw new Failure(failure.unauthorized())
}

/** The bearer token of a request. Other authorization schemes are ignored. */
function bearerToken(headers: Readonly<Record<string, string>>): string | undefined {
  const [scheme = '', token = ''] = (headers['authorization'] ?? '').trim().split(' ', 3)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}
