/**
 * Structured authentication: users with JSON web tokens of other issuers, the paths that allow anonymous requests, and
 * users whom a webhook knows. This module loads CEL, so that only a server with such a configuration imports it.
 */
export { TokenWebhook, type TokenWebhookOptions } from './token-webhook.ts'
export { ReloadableAuthentication } from './reloadable-authentication.ts'
export { openAuthentication, type Authentication } from './open-authentication.ts'
