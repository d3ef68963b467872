/** Authentication and authorization: which user sends a request, and whether that user may do it. */
export {
  authenticate,
  tokenReviewer,
  type CertificateUser,
  type TokenReader,
  type TokenReading,
} from './access/authenticate.ts'
export {
  AccessDenied,
  escapeHtml,
  forbidden,
  whenDecided,
  type Asking,
  type Attributes,
  type Authorizer,
  type Decision,
} from './access/authorize.ts'
export { HEADER_SEPARATOR, Impersonation, type ActingUser } from './access/impersonate.ts'
export { ServiceAccountTokens, type ServiceAccountOptions } from './tokens/service-account-tokens.ts'
export { tokenReader } from './tokens/token-readers.ts'
export type { LegacyTokenSubject } from './tokens/legacy-tokens.ts'
export { claimsOf, type TokenKey } from './tokens/token-keys.ts'
export { serviceAccountGroups, serviceAccountUser } from './access/service-account-name.ts'
export { ADMIN, ANONYMOUS, authenticated, type User } from './access/user.ts'
export { alwaysAllow, alwaysDeny, type Authorization } from './authorizers/authorization.ts'
export { chainAuthorizers } from './authorizers/authorizer-chain.ts'
export { Rbac, RBAC_GROUP, type NamespaceRules } from './rbac/rbac.ts'
export { refuseEscalation } from './rbac/escalation.ts'
export { Aggregation } from './rbac/aggregation.ts'
export { createBootstrapPolicy } from './rbac/bootstrap.ts'
export { fromBase64Url, objectFromBase64Url } from './tokens/base64url.ts'
