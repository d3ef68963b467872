import { checkOptionNames, HomeostatError, optionNames } from '@homeostat/api'
import type { Webhook } from '../review/index.ts'
import type { AuthenticationHandler } from './token-result.ts'
import { answerTokenReview } from './token-review.ts'

/** Options of an authentication webhook. */
export interface AuthenticationOptions {
  /** Where it answers. Default: `/authenticate`. */
  readonly path?: string | undefined
}

const OPTIONS = optionNames<AuthenticationOptions>('authentication', { path: true })
const PATH = /^\/[a-zA-Z0-9_-]+(\/[a-zA-Z0-9_-]+)*$/

/** A webhook that answers TokenReviews, for the option `--authentication-token-webhook-config-file` of an API server. */
export function authentication(handler: AuthenticationHandler, options: AuthenticationOptions = {}): Webhook {
  checkOptionNames(options, OPTIONS)
  const { path = '/authenticate' } = options
  if (!PATH.test(path)) {
    throw new HomeostatError(
      'WEBHOOK_OPTIONS_INVALID',
      `the option path of an authentication webhook is ${JSON.stringify(path)}: it must begin with a slash and contain only letters, digits, - and _`,
    )
  }
  return { endpoints: [{ type: 'authentication', path, answer: (call) => answerTokenReview(call, handler) }] }
}
