/**
 * The objects that make API servers call an operator's webhooks: webhook configurations and the conversion stanza of definitions.
 * Either the manager or a user installs them. In both cases the manager writes the authorities to trust.
 */
export { objectChanges } from './object-changes.ts'
export { WebhookInstallation } from './webhook-installation.ts'
