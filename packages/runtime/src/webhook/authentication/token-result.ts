import type { WebhookContext } from '../review/index.ts'

/** The request of an API server: which user a token belongs to. */
export interface TokenRequest {
  readonly token: string
  /** The token must be valid for at least one of these audiences. Empty for the API server itself. */
  readonly audiences: readonly string[]
}

/** A user as the API server will know them. */
export interface AuthenticatedUser {
  readonly username: string
  readonly uid?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The token is valid. */
export interface Authenticated {
  readonly type: 'authenticated'
  readonly user: AuthenticatedUser
  readonly audiences: readonly string[]
}

/** The token is not valid. */
export interface Unauthenticated {
  readonly type: 'unauthenticated'
  readonly error: string
}

/** The user of a valid token. */
export type AuthenticationHandler = (
  request: TokenRequest,
  context: WebhookContext,
) => Authenticated | Unauthenticated | Promise<Authenticated | Unauthenticated>

/**
 * Answers that a token is valid, with its user. `audiences` are those of the request for which the token is valid.
 */
export function authenticated(user: AuthenticatedUser, audiences: readonly string[] = []): Authenticated {
  return { type: 'authenticated', user, audiences }
}

/** Answers that a token is not valid, optionally with the reason. */
export function unauthenticated(error = ''): Unauthenticated {
  return { type: 'unauthenticated', error }
}
