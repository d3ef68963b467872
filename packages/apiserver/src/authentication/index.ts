/**
 * Structured authentication: users of JSON web tokens that other issuers sign, and where anonymous requests are allowed; and users
 * whom a webhook knows. This module loads CEL, so that only a server with such a configuration imports it.
 */
export { TokenWebhook, type TokenWebhookOptions } from './token-webhook.ts'
export { ReloadableAuthentication } from './reloadable-authentication.ts'
export { openAuthentication, type Authentication } from './open-authentication.ts'
