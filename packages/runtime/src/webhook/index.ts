/**
 * Webhooks: functions of an operator that API servers call. A webhook is a value. {@link webhookHandler} turns several
 * webhooks into one function from a request to a response, which a test calls and a server serves.
 */
export * from './admission/index.ts'
export * from './authentication/index.ts'
export * from './conversion/index.ts'
export * from './conversion/round-trip/index.ts'
export {
  webhookHandler,
  type ReviewAnswer,
  type ReviewCall,
  type Webhook,
  type WebhookCaller,
  type WebhookContext,
  type WebhookEndpoint,
  type WebhookEnvironment,
} from './review/index.ts'
export { WebhookServer, type CertificateSource, type WebhookServerOptions } from './serving/index.ts'
export {
  checkWebhooksOptions,
  SelfManagedWebhooks,
  type LiveCluster,
  type WebhookCertificatesOptions,
  type WebhookController,
  type WebhookServiceOptions,
  type WebhooksOptions,
} from './self-managed/index.ts'
