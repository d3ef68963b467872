import type { AdmissionRequest } from '../admission/index.ts'
import type { ServerMetrics, WebhookOutcome } from '../metrics/index.ts'
import type { Webhook } from './call/webhook.ts'
import { WebhookCallError, WebhookDenial } from './webhook-failure.ts'

/** Counts the calls of the webhooks of one plugin. */
export class WebhookCounts {
  readonly #metrics: ServerMetrics
  readonly #type: 'admit' | 'validating'

  constructor(metrics: ServerMetrics, type: 'admit' | 'validating') {
    this.#metrics = metrics
    this.#type = type
  }

  /** Calls a webhook and counts the result. */
  async count<T>(webhook: Webhook, { operation }: AdmissionRequest, call: () => Promise<T>): Promise<T> {
    const begin = this.#metrics.seconds()
    const count = (outcome: Omit<WebhookOutcome, 'seconds'>): void => {
      const seconds = this.#metrics.seconds() - begin
      this.#metrics.admission.webhook(webhook.name, operation, this.#type, { seconds, ...outcome })
    }
    try {
      const result = await call()
      count({ rejected: false, code: 200 })
      return result
    } catch (error) {
      count(outcomeOf(webhook, error))
      if (error instanceof WebhookCallError && webhook.failurePolicy === 'Ignore') {
        this.#metrics.admission.webhookFailedOpen(webhook.name, this.#type)
      }
      throw error
    }
  }
}

function outcomeOf({ failurePolicy }: Webhook, error: unknown): Omit<WebhookOutcome, 'seconds'> {
  if (error instanceof WebhookCallError) {
    const { code } = error
    return failurePolicy === 'Ignore'
      ? { rejected: false, code }
      : { rejected: true, code, error: 'calling_webhook_error' }
  }
  if (error instanceof WebhookDenial) {
    return { rejected: true, code: error.status.code, error: 'no_error' }
  }
  return { rejected: true, code: 0, error: 'apiserver_internal_error' }
}
