import type { AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import type { Registry } from '../registry/index.ts'
import type { CallWebhook } from './call/call-webhook.ts'
import { MatchConditions } from './match-conditions.ts'
import { MutatingWebhooks } from './mutating-webhooks.ts'
import { RelevantWebhooks } from './relevant-webhooks.ts'
import { ValidatingWebhooks } from './validating-webhooks.ts'
import { WebhookCalls } from './webhook-calls.ts'
import { WebhookCounts } from './webhook-counts.ts'
import type { Webhook } from './call/webhook.ts'

type Send = (webhooks: readonly Webhook[], request: AdmissionRequest) => Promise<void>

/** Sends a request to the webhooks that have a rule for it. */
export interface WebhookDispatch {
  readonly mutate: Send
  readonly validate: Send
}

export function createDispatch(
  registry: Registry,
  call: CallWebhook,
  authorize: Authorizer,
  metrics: ServerMetrics,
): WebhookDispatch {
  const relevant = (type: 'admit' | 'validating'): RelevantWebhooks =>
    new RelevantWebhooks(registry, new MatchConditions(authorize, metrics, type))
  const calls = new WebhookCalls(call, registry.clock)
  const mutating = new MutatingWebhooks(
    registry,
    relevant('admit'),
    calls,
    new WebhookCounts(metrics, 'admit'),
  )
  const validating = new ValidatingWebhooks(
    relevant('validating'),
    calls,
    new WebhookCounts(metrics, 'validating'),
  )
  return {
    mutate: (webhooks, request) => mutating.mutate(webhooks, request),
    validate: (webhooks, request) => validating.validate(webhooks, request),
  }
}
