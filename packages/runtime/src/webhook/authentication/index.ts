/** Authentication: whose a bearer token is, for API servers that ask a webhook. Tokens are never logged and never answered. */
export { authentication, type AuthenticationOptions } from './authentication.ts'
export {
  authenticated,
  unauthenticated,
  type Authenticated,
  type AuthenticatedUser,
  type AuthenticationHandler,
  type TokenRequest,
  type Unauthenticated,
} from './token-result.ts'
