import { failure } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { Failure } from '../registry/index.ts'
import type { RelevantWebhooks } from './relevant-webhooks.ts'
import type { Invocation } from './review.ts'
import type { WebhookCalls } from './webhook-calls.ts'
import { WebhookCallError } from './webhook-failure.ts'
import type { WebhookCounts } from './webhook-counts.ts'
import type { Webhook } from './call/webhook.ts'

/** Calls all validating webhooks at the same time. The client gets the first refusal. */
export class ValidatingWebhooks {
  readonly #relevant: RelevantWebhooks
  readonly #calls: WebhookCalls
  readonly #counts: WebhookCounts

  constructor(relevant: RelevantWebhooks, calls: WebhookCalls, counts: WebhookCounts) {
    this.#counts = counts
    this.#relevant = relevant
    this.#calls = calls
  }

  async validate(webhooks: readonly Webhook[], request: AdmissionRequest): Promise<void> {
    const invocations: Invocation[] = []
    for (const webhook of webhooks) {
      const found = this.#relevant.invocation(webhook, request)
      const invocation = found instanceof Promise ? await found : found
      if (invocation) invocations.push(invocation)
    }
    const refusals: unknown[] = []
    await Promise.all(
      invocations.map(async (invocation, index) => {
        try {
          await this.#counts.count(invocation.webhook, request, () =>
            this.#calls.ask(invocation, request, false),
          )
        } catch (error) {
          if (!(error instanceof WebhookCallError)) refusals.push(error)
          else if (invocation.webhook.failurePolicy === 'Fail') {
            refusals.push(new Failure(failure.internalError(error.message)))
          } else {
            const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`
            request.audit?.annotate(key, invocation.webhook.name)
          }
        }
      }),
    )
    if (refusals.length > 0) throw refusals[0]
  }
}
