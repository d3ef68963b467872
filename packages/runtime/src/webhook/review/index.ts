/**
 * What all webhooks share: how a review is read, run under its deadline, measured, traced and answered. A call never rejects
 * because of what a handler does; it rejects only when the caller has hung up.
 */
export type { WebhookCaller, WebhookEnvironment } from './environment.ts'
export type { ReviewAnswer, Webhook, WebhookEndpoint } from './endpoint.ts'
export { isCodeMistake } from './is-code-mistake.ts'
export { bodyProblem, readJson } from './read-body.ts'
export type { ReviewCall } from './review-call.ts'
export { runReview, type Ending } from './run-review.ts'
export { textOf } from './text-of.ts'
export type { WebhookContext } from './context.ts'
export { webhookHandler } from './webhook-handler.ts'
