import { stringifyJson, type ApiHandler, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { messageOf } from '../../reconcile/index.ts'
import type { ReviewAnswer, WebhookEndpoint } from './endpoint.ts'
import type { ResolvedEnvironment } from './environment.ts'
import { goDuration } from './go-duration.ts'
import { LateReview } from './run-review.ts'
import type { ReviewCall } from './review-call.ts'
import { WebhookMetrics } from './webhook-metrics.ts'
import { inWebhookSpan } from './webhook-spans.ts'

const encoder = new TextEncoder()

/** One endpoint as a function from a request to its response, with its metrics and its span. */
export function serveEndpoint(endpoint: WebhookEndpoint, environment: ResolvedEnvironment): ApiHandler {
  const { path } = endpoint
  const { clock } = environment
  const metrics = new WebhookMetrics(environment.metrics, endpoint)
  return async (request) => {
    request.signal?.throwIfAborted()
    const began = clock.monotonic()
    metrics.begin()
    let code: number | undefined
    try {
      const call = { ...callOf(request, path, environment), panicked: () => metrics.panicked() }
      const answer = await inWebhookSpan(environment, path, () => answerOf(endpoint, call))
      code = answer.status
      return responseOf(answer)
    } finally {
      metrics.end(clock.monotonic() - began, code)
    }
  }
}

function callOf(
  request: ApiRequest,
  path: string,
  environment: ResolvedEnvironment,
): Omit<ReviewCall, 'panicked'> {
  return {
    path,
    contentType: request.headers['content-type'] ?? '',
    body: request.body ?? new Uint8Array(),
    timeout: goDuration(request.query.get('timeout')),
    signal: request.signal,
    waiting: request.waiting,
    environment,
  }
}

/** Catches errors of reading a review too, such as a stack overflow by a deeply nested body. */
async function answerOf(endpoint: WebhookEndpoint, call: ReviewCall): Promise<ReviewAnswer> {
  try {
    return await endpoint.answer(call)
  } catch (error) {
    call.signal?.throwIfAborted()
    if (error instanceof LateReview) return { status: 504 }
    call.environment.logger.error({ webhook: call.path, error }, `a review failed: ${messageOf(error)}`)
    return { status: 500 }
  }
}

function responseOf({ status, body }: ReviewAnswer): ApiResponse {
  if (body === undefined) return { status, headers: {}, body: new Uint8Array() }
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: encoder.encode(`${stringifyJson(body)}\n`),
  }
}
