/** Serves webhooks over HTTPS, with certificates that are renewed while it runs. */
export { WebhookServer, type WebhookServerOptions } from './webhook-server.ts'
export type { CertificateSource } from './webhook-port.ts'
