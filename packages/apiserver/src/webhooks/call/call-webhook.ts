import type { Pausable } from '@homeostat/api'
import type { WebhookTarget } from './webhook.ts'

/** The answer of a webhook's server. */
export interface WebhookAnswer {
  readonly status: number
  /** The media type; empty where none was given. */
  readonly contentType: string
  readonly body: Uint8Array
}

export interface WebhookCall {
  readonly target: WebhookTarget
  readonly body: Uint8Array
  readonly timeoutSeconds: number
  /** The work that waits for the answer. It pauses where a webhook in this process lets simulated time pass. */
  readonly waiting?: Pausable | undefined
}

/**
 * Posts a review to a webhook. Rejects with an Error that has the message of Go's HTTP client for such a failure, such as
 * `Post "https://…": dial tcp …: connect: connection refused`.
 */
export type CallWebhook = (call: WebhookCall) => Promise<WebhookAnswer>
