import { joinBytes, type ApiHandler, type ApiResponse, type Clock } from '@homeostat/api'
import type { CallWebhook, WebhookAnswer } from './call-webhook.ts'
import { addressOf, type WebhookTarget } from './webhook.ts'

/**
 * Finds the handler in this process that answers the reviews for a webhook; undefined if the webhook has to be
 * called over the network.
 */
export type WebhookHandlers = (target: WebhookTarget) => ApiHandler | undefined

/**
 * Calls webhooks that this process answers itself, and passes all others on. Time limits are kept by the clock, so that they
 * also hold under simulated time.
 */
export function callInProcess(handlers: WebhookHandlers, clock: Clock, otherwise: CallWebhook): CallWebhook {
  return async (call) => {
    const handler = handlers(call.target)
    if (!handler) return otherwise(call)
    const address = `${addressOf(call.target)}?timeout=${call.timeoutSeconds}s`
    const { pathname, searchParams } = new URL(address)
    // It pauses while the webhook sleeps by the clock: otherwise the time limit would never come.
    using work = clock.busy(`the webhook ${pathname}`, call.waiting)
    const controller = new AbortController()
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = clock.schedule(call.timeoutSeconds * 1_000, () => {
      controller.abort()
      reject(new Error('context deadline exceeded'))
    })
    const request = {
      method: 'POST',
      path: pathname,
      query: searchParams,
      headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
      body: call.body,
      signal: controller.signal,
      waiting: work,
    } as const
    try {
      return await Promise.race([answerOf(handler(request)), promise])
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`Post ${JSON.stringify(address)}: ${why}`, { cause: error })
    } finally {
      timer.cancel()
    }
  }
}

async function answerOf(answering: Promise<ApiResponse>): Promise<WebhookAnswer> {
  const { status, headers, body } = await answering
  return { status, contentType: headers['content-type'] ?? '', body: await bytesOf(body) }
}

async function bytesOf(body: ApiResponse['body']): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return joinBytes(parts)
}
