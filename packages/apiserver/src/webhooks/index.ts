/**
 * Webhooks that the server calls: admission webhooks, as a mutating and a validating admission plugin; and in
 * `conversion/` those that convert between the versions of custom kinds. Calls go through a function, so that
 * webhooks can also run in the process.
 */
export { callInProcess, type WebhookHandlers } from './call/call-in-process.ts'
export type { CallWebhook } from './call/call-webhook.ts'
export { admissionWebhooks } from './admission-webhooks.ts'
export { conversionWebhooks } from './conversion/conversion-webhooks.ts'
export { WebhookCaller } from './call/webhook-caller.ts'
export { post } from './call/post.ts'
export { checkReviewVersion, readAnswer } from './call/read-answer.ts'
export type { WebhookTarget } from './call/webhook.ts'
