/**
 * Authentication: tells an API server which user a bearer token belongs to. Tokens never appear in logs or in answers.
 */
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
