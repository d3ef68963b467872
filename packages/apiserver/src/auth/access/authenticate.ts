import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { trimSpace } from '../white-space/white-space.ts'
import { ANONYMOUS, type User } from './user.ts'

/** The result of reading a token: its user and audiences, or why it is not accepted. */
export interface TokenReading {
  readonly user?: User | undefined
  readonly audiences?: readonly string[] | undefined
  readonly problem?: string | undefined
  /** A warning to the client about the token. */
  readonly warning?: string | undefined
  /** Annotations about the token for the audit log. */
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/** The user who sends a request, with the warning and the audit annotations that come with the token. */
export interface Login extends Pick<TokenReading, 'warning' | 'annotations'> {
  readonly user: User
}

/** Finds the user of a bearer token for one of the audiences; by default, for this server. */
export type TokenReader = (token: string, audiences?: readonly string[]) => Promise<TokenReading>

/** The user of a connection's client certificate; `invalid` when the certificate is not trusted. */
export type CertificateUser = User | 'invalid' | undefined

const SPACE_WARNING =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

/**
 * The user who sends a request: from the connection's certificate, else from its bearer token. Without credentials it
 * is the anonymous user, where such requests are allowed. A client is refused if none of its credentials is accepted.
 */
export async function authenticate(
  headers: Readonly<Record<string, string>>,
  read: TokenReader,
  certificate?: CertificateUser,
  allowsAnonymous = true,
): Promise<Login> {
  if (certificate && certificate !== 'invalid') return { user: certificate }
  const { token, warning } = bearerToken(headers['authorization'])
  if (token !== undefined) {
    const { user, ...more } = await read(token)
    if (user) return { user, ...more }
  } else if (certificate === undefined && allowsAnonymous) {
    return { user: ANONYMOUS, warning }
  }
  throw new Failure(failure.unauthorized())
}

/**
 * Reads the token of a TokenReview as Kubernetes does: as the text after `Bearer` in a header. Only its first word
 * counts. An empty token belongs to the anonymous user, where anonymous requests are allowed.
 */
export function tokenReviewer(
  read: TokenReader,
  ownAudiences: readonly string[],
  allowsAnonymous: () => boolean,
): TokenReader {
  return async (text, audiences = ownAudiences) => {
    const { token } = bearerToken(`Bearer ${text}`)
    if (token !== undefined) return read(token, audiences)
    return allowsAnonymous() ? { user: ANONYMOUS, audiences } : {}
  }
}

/** The bearer token of an Authorization header. Other authorization schemes are ignored. */
function bearerToken(authorization: string | undefined): { token?: string; warning?: string } {
  if (authorization === undefined) return {}
  const [scheme = '', token = '', more] = trimSpace(authorization).split(' ', 3)
  if (scheme.toLowerCase() !== 'bearer') return {}
  if (token !== '') return { token }
  return more === undefined ? {} : { warning: SPACE_WARNING }
}
