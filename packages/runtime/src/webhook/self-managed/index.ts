/** Webhooks whose certificates and configurations the manager maintains. */
export { SelfManagedWebhooks, type LiveCluster, type WebhookController } from './self-managed-webhooks.ts'
export {
  checkWebhooksOptions,
  type WebhookCertificatesOptions,
  type WebhookServiceOptions,
  type WebhooksOptions,
} from './webhooks-options.ts'
