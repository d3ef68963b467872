import { messageOf } from '../../reconcile/index.ts'
import {
  bodyProblem,
  isCodeMistake,
  readJson,
  runReview,
  textOf,
  type ReviewAnswer,
  type ReviewCall,
} from '../review/index.ts'
import type { Authenticated, AuthenticationHandler, Unauthenticated } from './token-result.ts'

/** A token is a few kilobytes at most. */
const MOST_BYTES = 1024 * 1024

type Fields = Readonly<Record<string, unknown>>

/**
 * Answers a TokenReview. Any other document is refused in the status, with the HTTP code 200, as by
 * controller-runtime.
 */
export async function answerTokenReview(
  call: ReviewCall,
  handler: AuthenticationHandler,
): Promise<ReviewAnswer> {
  const problem = bodyProblem(call, MOST_BYTES)
  if (problem) return refused(call, problem.message)
  const body = readJson(call.body)
  if ('problem' in body) return refused(call, `couldn't get version/kind; json parse error: ${body.problem}`)
  const { kind, apiVersion, metadata, spec } = body.object
  const { token, audiences } = (typeof spec === 'object' && spec !== null ? spec : {}) as Fields
  if (typeof (token ?? '') !== 'string') return refused(call, 'spec.token must be a string')
  if (textOf(token) === '') return refused(call, 'token is empty')
  const uid = textOf((metadata as Fields | null | undefined)?.['uid'])
  const request = { token: textOf(token), audiences: Array.isArray(audiences) ? audiences.map(String) : [] }
  const ending = await runReview(call, { requestID: uid }, (context) => handler(request, context))
  const result = ending.type === 'returned' ? checked(ending.value, call) : failed(ending.error, call)
  return {
    status: 200,
    body: {
      kind: kind ?? 'TokenReview',
      apiVersion: apiVersion ?? 'authentication.k8s.io/v1',
      metadata: uid === '' ? {} : { uid },
      spec: {},
      status: statusOf(result),
    },
  }
}

function refused(call: ReviewCall, error: string): ReviewAnswer {
  call.environment.logger.error({ webhook: call.path }, `bad request: ${error}`)
  const status = statusOf({ type: 'unauthenticated', error })
  return { status: 200, body: { metadata: {}, spec: {}, status } }
}

function statusOf(result: Authenticated | Unauthenticated): object {
  if (result.type === 'unauthenticated')
    return { user: {}, ...(result.error === '' ? {} : { error: result.error }) }
  const { user, audiences } = result
  return {
    authenticated: true,
    user: { ...user },
    ...(audiences.length > 0 ? { audiences } : {}),
  }
}

/** The result of the handler. Any other value counts as a bug, never as a valid token. */
function checked(result: Authenticated | Unauthenticated, call: ReviewCall): Authenticated | Unauthenticated {
  const type = (result as { readonly type?: unknown } | undefined)?.type
  if (type === 'authenticated' || type === 'unauthenticated') return result
  return failed(new TypeError('the handler returned neither authenticated(…) nor unauthenticated(…)'), call)
}

function failed(error: unknown, call: ReviewCall): Unauthenticated {
  call.environment.logger.error({ webhook: call.path, error }, 'failed to review a token')
  if (!isCodeMistake(error)) return { type: 'unauthenticated', error: messageOf(error) }
  call.panicked()
  return { type: 'unauthenticated', error: 'internal error occurred during authentication' }
}
