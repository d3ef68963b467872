import { failure, type Status } from '@homeostat/api'
import { Failure } from '../registry/index.ts'
import { type JsonObject, objectOf, textOf } from '../schema/index.ts'

/**
 * A webhook could not be called, or its answer was invalid. Its failure policy decides whether the request is
 * refused.
 */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError'
  /** The HTTP status of the failure, as metrics count it. */
  readonly code: number

  constructor(webhook: string, reason: string, code = 503) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`)
    this.code = code
  }
}

/** A webhook has denied the request. */
export class WebhookDenial extends Failure {
  constructor(webhook: string, result: unknown) {
    // The webhook's author chose the length, not the client.
    super(denial(webhook, result), { isSentWhole: true })
  }
}

/** The answer to a request that a webhook has denied: the status that it gave, with the webhook named in front. */
function denial(webhook: string, result: unknown): Status {
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
