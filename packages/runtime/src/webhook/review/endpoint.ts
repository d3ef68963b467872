import type { ReviewCall } from './review-call.ts'

/** The content of the HTTP response. Without a body it is empty. */
export interface ReviewAnswer {
  readonly status: number
  readonly body?: unknown
}

/** Answers the reviews at one path. */
export interface WebhookEndpoint {
  readonly type: 'mutating' | 'validating' | 'conversion' | 'authentication'
  /** Where an API server sends its reviews: begins with a slash. */
  readonly path: string
  /** Answers one review. Rejects only when the caller has hung up. */
  answer(call: ReviewCall): Promise<ReviewAnswer>
  /**
   * Returns one endpoint that answers for this one and another at the same path. Absent if only one endpoint may have
   * the path.
   */
  readonly join?: ((other: WebhookEndpoint) => WebhookEndpoint) | undefined
}

/** Webhooks as a value: what `admission`, `rawAdmission`, `conversion` and `authentication` make. */
export interface Webhook {
  readonly endpoints: readonly WebhookEndpoint[]
}
