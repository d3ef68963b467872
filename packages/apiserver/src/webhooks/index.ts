/**
 * Admission webhooks: which of them are called for a write, what they are sent, and what becomes of their answers. They
 * are two admission plugins, one that changes objects and one that looks at them last. Calls go out through a function,
 * so that webhooks can also be reached in the process.
 */
export { callInProcess, type WebhookHandlers } from './call-in-process.ts'
export { admissionWebhooks } from './admission-webhooks.ts'
export { WebhookCaller } from './webhook-caller.ts'
export type { WebhookTarget } from './webhook.ts'
