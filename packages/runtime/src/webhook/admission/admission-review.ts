import { createJsonPatch, type JsonPatchOperation } from '@homeostat/api'
import { messageOf } from '../../reconcile/index.ts'
import { ApiError } from '../../requests/index.ts'
import {
  bodyProblem,
  isCodeMistake,
  readJson,
  runReview,
  type ReviewEnding,
  type ReviewAnswer,
  type ReviewCall,
} from '../review/index.ts'
import { AdmissionRun } from './admission-run.ts'
import { readAdmissionRequest, type AdmissionRequest } from './admission-request.ts'
import { base64OfJson } from './base64-of-json.ts'
import type { AdmissionContext } from './context.ts'
import { denied, type Allowed, type Denied, type Patched, type ReviewStatus } from './result.ts'

/** The result of a request. */
export type AdmissionResult = Allowed | Denied | Patched

/** Decides about a request. */
export type Decide = (
  request: AdmissionRequest,
  context: AdmissionContext,
) => AdmissionResult | Promise<AdmissionResult>

/** An object and its predecessor of 3 MB each, and 1 MB for the rest of the review. */
const MOST_BYTES = 7 * 1024 * 1024

/** A request that cannot be answered, such as one for an unknown operation. */
export function errored(code: number, message: string): Denied {
  return { type: 'denied', status: { message, code } }
}

/**
 * Answers an AdmissionReview: a pure function from the bytes of the request to the body of the response. Input that is
 * not a review is refused in the review's status, under the HTTP code 200, as controller-runtime does.
 */
export async function answerAdmissionReview(call: ReviewCall, decide: Decide): Promise<ReviewAnswer> {
  const problem = bodyProblem(call, MOST_BYTES)
  if (problem) return refused(call, problem.code, problem.message)
  const body = readJson(call.body)
  if ('problem' in body)
    return refused(call, 400, `couldn't get version/kind; json parse error: ${body.problem}`)
  const { kind, apiVersion } = body.object
  for (const [name, value] of [
    ['kind', kind],
    ['apiVersion', apiVersion],
  ] as const) {
    if (value !== undefined && typeof value !== 'string')
      return refused(call, 400, `couldn't get version/kind; json parse error: ${name} must be a string`)
  }
  const read = readAdmissionRequest(body.object['request'])
  if ('problem' in read) return refused(call, 400, read.problem)
  const response = await respond(call, read.request, decide)
  return {
    status: 200,
    body: { kind: kind ?? 'AdmissionReview', apiVersion: apiVersion ?? 'admission.k8s.io/v1', response },
  }
}

/** The answer to a body that is not a review: it has neither a uid nor a type. */
function refused(call: ReviewCall, code: number, message: string): ReviewAnswer {
  call.environment.logger.error({ webhook: call.path }, `bad request: ${message}`)
  return { status: 200, body: { response: responseOf('', errored(code, message)) } }
}

async function respond(call: ReviewCall, request: AdmissionRequest, decide: Decide): Promise<object> {
  const { namespace, name, uid: requestID, userInfo, resource } = request
  const object = namespace === '' ? name : `${namespace}/${name}`
  const fields = { object, resource: resource.resource, user: userInfo.username, requestID }
  let run: AdmissionRun | undefined
  const ending = await runReview(call, fields, async (context) => {
    run = new AdmissionRun(context, request)
    const result = await decide(request, run)
    return { result, patch: result.type === 'patched' ? operationsOf(result, request) : [] }
  })
  const { result, patch } = outcome(ending, call, fields)
  return responseOf(requestID, result, patch, run)
}

function operationsOf({ change }: Patched, request: AdmissionRequest): readonly JsonPatchOperation[] {
  return Array.isArray(change)
    ? (change as readonly JsonPatchOperation[])
    : createJsonPatch(request.object, change)
}

interface Outcome {
  readonly result: AdmissionResult
  readonly patch: readonly JsonPatchOperation[]
}

/** A failure of the API is passed on, a mistake of the code is an internal error, and any other error refuses the request. */
function outcome(ending: ReviewEnding<Outcome>, call: ReviewCall, fields: object): Outcome {
  if (ending.type === 'returned') return ending.value
  const { error } = ending
  const log = call.environment.logger.child({ webhook: call.path, ...fields })
  if (error instanceof ApiError) {
    const { kind: _, apiVersion: __, metadata: ___, ...status } = error.status
    return { result: { type: 'denied', status }, patch: [] }
  }
  if (!isCodeMistake(error)) return { result: denied(messageOf(error)), patch: [] }
  call.panicked()
  log.error({ error }, 'observed a panic in the webhook')
  return { result: errored(500, `panic: ${messageOf(error)} [recovered]`), patch: [] }
}

function responseOf(
  uid: string,
  result: AdmissionResult,
  patch: readonly JsonPatchOperation[] = [],
  run?: AdmissionRun,
): object {
  return {
    uid,
    allowed: result.type !== 'denied',
    status: { metadata: {}, ...statusOf(result) },
    ...(patch.length > 0 ? { patch: base64OfJson(patch), patchType: 'JSONPatch' } : {}),
    ...(run && run.auditAnnotations.size > 0
      ? { auditAnnotations: Object.fromEntries(run.auditAnnotations) }
      : {}),
    ...(run && run.warnings.length > 0 ? { warnings: run.warnings } : {}),
  }
}

function statusOf(result: AdmissionResult): ReviewStatus {
  if (result.type === 'denied') return result.status
  return { ...(result.message === '' ? {} : { message: result.message }), code: 200 }
}
