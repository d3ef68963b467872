/** Serves webhooks over HTTPS, with certificates from files that others renew. */
export { WebhookServer, type WebhookServerOptions } from './webhook-server.ts'
