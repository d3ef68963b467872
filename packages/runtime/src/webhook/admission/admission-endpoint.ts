import type { WebhookEndpoint } from '../review/index.ts'
import type { AdmissionRule, MutatingOptions } from './webhook-options.ts'

/** An endpoint that answers AdmissionReviews, with the content of its webhook configuration. */
export interface AdmissionEndpoint extends WebhookEndpoint {
  readonly type: 'mutating' | 'validating'
  /** The name in the webhook configuration. */
  readonly name: string
  readonly rules: readonly AdmissionRule[]
  readonly options: MutatingOptions
}

/** Admission webhooks as a value: at most one that changes objects and one that validates them. */
export interface AdmissionWebhook {
  readonly endpoints: readonly AdmissionEndpoint[]
}
