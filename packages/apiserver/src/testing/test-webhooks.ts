import type { ApiHandler } from '@homeostat/api'
import type { WebhookTarget } from '../webhooks/index.ts'

/** The webhooks that a test's server calls in this process. */
export class TestWebhooks {
  /** The address of the webhooks in configurations. No request is sent to it. */
  readonly url = 'https://operator.example.com'
  /** Answers their reviews. */
  handler: ApiHandler | undefined

  /** The handler of reviews for this address; undefined for all other addresses. */
  handlerFor(target: WebhookTarget): ApiHandler | undefined {
    return 'url' in target && target.url.startsWith(`${this.url}/`) ? this.handler : undefined
  }
}
