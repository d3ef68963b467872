import type { Clock } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { Failure, uid } from '../registry/index.ts'
import type { JsonObject } from '../schema/index.ts'
import type { CallWebhook } from './call/call-webhook.ts'
import { checkResponseTypes, checkReviewVersion, readAnswer, RefusedCall } from './call/read-answer.ts'
import { readReview, reviewOf, reviewVersion, type Invocation, type ReviewResponse } from './review.ts'
import { dryRunUnsupported, WebhookCallError, WebhookDenial } from './webhook-failure.ts'

const encoder = new TextEncoder()

/** Sends reviews to webhooks and reads their answers. */
export class WebhookCalls {
  readonly #call: CallWebhook
  readonly #clock: Clock

  constructor(call: CallWebhook, clock: Clock) {
    this.#call = call
    this.#clock = clock
  }

  /**
   * Asks a webhook about a request, and passes its warnings on to the client. Fails with `Failure` where the webhook denies
   * the request, and with `WebhookCallError` where it gives no usable answer.
   */
  async ask(invocation: Invocation, request: AdmissionRequest, mutating: boolean): Promise<ReviewResponse> {
    const { webhook } = invocation
    if (request.dryRun && webhook.hasSideEffects) throw new Failure(dryRunUnsupported(webhook.name))
    const version = reviewVersion(webhook)
    if (version === undefined) {
      throw new WebhookCallError(
        webhook.name,
        'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
        400,
      )
    }
    const id = uid(this.#clock)
    const review = await this.#send(invocation, reviewOf(request, invocation, version, id), {
      version,
      waiting: request.waiting,
    })
    let response: ReviewResponse
    try {
      response = readReview(review, { uid: id, version, mutating })
    } catch (error) {
      throw new WebhookCallError(webhook.name, `received invalid webhook response: ${messageOf(error)}`)
    }
    for (const warning of response.warnings) request.warn(warning)
    for (const [key, value] of Object.entries(response.auditAnnotations)) {
      request.audit?.annotate(`${webhook.name}/${key}`, value)
    }
    if (!response.allowed) {
      throw new WebhookDenial(webhook.name, response.result)
    }
    return response
  }

  async #send(
    { webhook }: Invocation,
    review: JsonObject,
    { version, waiting }: Pick<AdmissionRequest, 'waiting'> & { readonly version: string },
  ): Promise<JsonObject> {
    const { target, timeoutSeconds, name } = webhook
    const body = encoder.encode(JSON.stringify(review))
    try {
      const answer = readAnswer(await this.#call({ target, body, timeoutSeconds, waiting }))
      checkReviewVersion(answer, { group: 'admission.k8s.io', version, kind: 'AdmissionReview' })
      checkResponseTypes(answer)
      return answer
    } catch (error) {
      const code = error instanceof RefusedCall ? error.status : undefined
      throw new WebhookCallError(name, `failed to call webhook: ${messageOf(error)}`, code)
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
