/**
 * What makes API servers call an operator's webhooks: webhook configurations and the conversion stanza of definitions. They are installed
 * here, or by others; the authorities to trust are written here in both cases.
 */
export { objectChanges } from './object-changes.ts'
export { hostNamesOf, type WebhookAddress } from './webhook-address.ts'
export { WebhookInstallation } from './webhook-installation.ts'
