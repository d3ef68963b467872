/**
 * Structured authentication: users of JSON web tokens that other issuers sign, and where anonymous requests are allowed. This
 * module loads CEL, so that only a server with such a configuration imports it.
 */
export { openAuthentication, type Authentication } from './open-authentication.ts'
