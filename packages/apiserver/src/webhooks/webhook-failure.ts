import { failure, type Status } from '@homeostat/api'
import { type JsonObject, objectOf, textOf } from '../schema/index.ts'

/**
 * A webhook could not be called, or its answer was invalid. Its failure policy decides whether the request is
 * refused.
 */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError'

  constructor(webhook: string, reason: string) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`)
  }
}

/** The answer to a request that a webhook has denied: the status that it gave, with the webhook named in front. */
export function denial(webhook: string, result: unknown): Status {
  const given = objectOf(result)
  const { message, reason, code, status, details } = given
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`
  const why = textOf(message ?? '') || textOf(reason ?? '')
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: status === undefined || status === '' || status === 'Success' ? 'Failure' : textOf(status),
    message: why === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    ...(reason !== undefined && reason !== '' && { reason: textOf(reason) }),
    ...(details !== undefined && { details: details as JsonObject }),
    code: typeof code === 'number' && code >= 400 ? code : 400,
  } as Status
}

export function dryRunUnsupported(webhook: string): Status {
  return failure.badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`)
}
