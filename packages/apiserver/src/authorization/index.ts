/**
 * Which authorizers decide what users may do, by an AuthorizationConfiguration: roles, and webhooks with their conditions in CEL.
 * Loaded only where a server has one.
 */
export { ReloadableAuthorization } from './reloadable-authorization.ts'
export { openAuthorization } from './open-authorization.ts'
