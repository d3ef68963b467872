/**
 * The part that all webhooks share: it reads a review, runs the handler under the deadline, measures and traces the
 * call, and answers. A call rejects only when the caller has hung up, never because a handler fails.
 */
export type { WebhookCaller, WebhookEnvironment } from './environment.ts'
export type { ReviewAnswer, Webhook, WebhookEndpoint } from './endpoint.ts'
export { isCodeMistake } from './is-code-mistake.ts'
export { bodyProblem, readJson } from './read-body.ts'
export type { ReviewCall } from './review-call.ts'
export { runReview, type ReviewEnding } from './run-review.ts'
export { textOf } from './text-of.ts'
export type { WebhookContext } from './context.ts'
export { hostNamesOf, type WebhookAddress } from './webhook-address.ts'
export { webhookHandler } from './webhook-handler.ts'
