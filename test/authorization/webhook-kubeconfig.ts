import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebhookServer } from '../webhooks/webhook-server.ts'

/** Writes the kubeconfig by which an API server finds a webhook of a test, and returns its path. */
export function writeWebhookKubeconfig(folder: string, server: WebhookServer, webhook: string): string {
  const file = join(folder, `${webhook}.kubeconfig`)
  const configuration = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'webhook',
        cluster: { server: server.url(webhook), 'certificate-authority-data': server.caBundle },
      },
    ],
    users: [{ name: 'api-server', user: { token: 'secret' } }],
    contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: 'api-server' } }],
    'current-context': 'webhook',
  }
  writeFileSync(file, JSON.stringify(configuration))
  return file
}
