import { failure } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { Failure } from '../registry/index.ts'
import type { RelevantWebhooks } from './relevant-webhooks.ts'
import type { WebhookCalls } from './webhook-calls.ts'
import { WebhookCallError } from './webhook-failure.ts'
import type { Webhook } from './webhook.ts'

/** Calls validating webhooks, all at the same time. The client is told of the refusal that came first. */
export class ValidatingWebhooks {
  readonly #relevant: RelevantWebhooks
  readonly #calls: WebhookCalls

  constructor(relevant: RelevantWebhooks, calls: WebhookCalls) {
    this.#relevant = relevant
    this.#calls = calls
  }

  async validate(webhooks: readonly Webhook[], request: AdmissionRequest): Promise<void> {
    const invocations = webhooks.flatMap((webhook) => this.#relevant.invocation(webhook, request) ?? [])
    const refusals: unknown[] = []
    await Promise.all(
      invocations.map(async (invocation) => {
        try {
          await this.#calls.ask(invocation, request, false)
        } catch (error) {
          if (!(error instanceof WebhookCallError)) refusals.push(error)
          else if (invocation.webhook.failurePolicy === 'Fail') {
            refusals.push(new Failure(failure.internalError(error.message)))
          }
        }
      }),
    )
    if (refusals.length > 0) throw refusals[0]
  }
}
