import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { ANONYMOUS, type User } from './user.ts'

/** The result of reading a token: its user and audiences, or why it is not accepted. */
export interface TokenReading {
  readonly user?: User | undefined
  readonly audiences?: readonly string[] | undefined
  readonly problem?: string | undefined
}

/** Finds the user of a bearer token that is meant for one of the audiences; by default for this server. */
export type TokenReader = (token: string, audiences?: readonly string[]) => Promise<TokenReading>

/** Who stands behind a connection by its client certificate; `invalid` when it is none that is trusted. */
export type CertificateUser = User | 'invalid' | undefined

/**
 * Who sends a request: by the connection's certificate, else by its bearer token. Who shows neither is the anonymous
 * user; a client that shows only credentials that are not accepted is refused.
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

/** The token that a request bears; other ways to log in are not known here, and count for nothing. */
function bearerToken(headers: Readonly<Record<string, string>>): string | undefined {
  const [scheme = '', token = ''] = (headers['authorization'] ?? '').trim().split(' ', 3)
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}
