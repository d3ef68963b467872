import { HomeostatError, type ApiHandler } from '@homeostat/api'
import type { Webhook, WebhookEndpoint } from './endpoint.ts'
import { environmentOf, type WebhookEnvironment } from './environment.ts'
import { serveEndpoint } from './serve-endpoint.ts'

/**
 * A function that answers the reviews of webhooks, each at its path. It needs no port and no certificate: a test calls it, and a
 * server serves it. It rejects only when the request's signal has aborted. Throws where two webhooks have the same path.
 */
export function webhookHandler(
  webhooks: readonly Webhook[],
  environment: WebhookEnvironment = {},
): ApiHandler {
  const resolved = environmentOf(environment)
  const endpoints = new Map<string, WebhookEndpoint>()
  for (const endpoint of webhooks.flatMap((webhook) => webhook.endpoints)) {
    const other = endpoints.get(endpoint.path)
    endpoints.set(endpoint.path, other ? joined(other, endpoint) : endpoint)
  }
  const handlers = new Map(
    [...endpoints].map(([path, endpoint]) => [path, serveEndpoint(endpoint, resolved)]),
  )
  return async (request) => {
    const handler = handlers.get(request.path)
    if (handler) return handler(request)
    return {
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: new TextEncoder().encode('404 page not found\n'),
    }
  }
}

function joined(one: WebhookEndpoint, other: WebhookEndpoint): WebhookEndpoint {
  if (one.type === other.type && one.join) return one.join(other)
  throw new HomeostatError(
    'WEBHOOK_PATH_TWICE',
    `two webhooks, ${one.type} and ${other.type}, have the path ${one.path}: set the option path of one of them`,
  )
}
