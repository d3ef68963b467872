import { HomeostatError, parseApiVersion, parseJson, type AnyKind } from '@homeostat/api'
import { messageOf } from '../../reconcile/index.ts'
import {
  isCodeMistake,
  readJson,
  runReview,
  textOf,
  type ReviewAnswer,
  type ReviewCall,
  type WebhookEndpoint,
} from '../review/index.ts'

/** Converts the objects of one kind. */
interface KindConverter {
  readonly stored: AnyKind
  convert(object: object, apiVersion: string): object
}

/** An endpoint that answers ConversionReviews. */
export interface ConversionEndpoint extends WebhookEndpoint {
  readonly type: 'conversion'
  readonly converters: readonly KindConverter[]
}

/** Where all kinds are converted, as in controller-runtime. */
const PATH = '/convert'

/** The endpoint for some kinds. It joins with the endpoints of others, because all kinds share one path. */
export function conversionEndpoint(converters: readonly KindConverter[]): ConversionEndpoint {
  const names = converters.map(({ stored }) => `${stored.kind} (${stored.group})`)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) {
    throw new HomeostatError(
      'CONVERSION_TWICE',
      `there are two conversions of ${twice}: put all versions of the kind into one conversion`,
    )
  }
  return {
    type: 'conversion',
    path: PATH,
    converters,
    answer: (call) => answerConversionReview(call, converters),
    join: (other) => conversionEndpoint([...converters, ...(other as ConversionEndpoint).converters]),
  }
}

interface Request {
  readonly uid: string
  readonly desiredAPIVersion: string
  readonly objects: readonly unknown[]
}

/**
 * Answers a ConversionReview. Any other document is answered with the HTTP code 400 and without a body, as by
 * controller-runtime.
 */
async function answerConversionReview(
  call: ReviewCall,
  converters: readonly KindConverter[],
): Promise<ReviewAnswer> {
  // The whole object is written back: a number that JavaScript would round must stay exact.
  const body = readJson(call.body, parseJson)
  const request = 'object' in body ? requestOf(body.object['request']) : undefined
  if (!('object' in body) || !request) {
    const why = 'problem' in body ? body.problem : 'it has no request'
    call.environment.logger.error({ webhook: call.path }, `bad request: the review cannot be read: ${why}`)
    return { status: 400 }
  }
  const { kind, apiVersion } = body.object
  const fields = { requestID: request.uid, desiredAPIVersion: request.desiredAPIVersion }
  const ending = await runReview(call, fields, () =>
    request.objects.map((object) => convertAny(object, request.desiredAPIVersion, converters)),
  )
  const response =
    ending.type === 'returned'
      ? { convertedObjects: ending.value, result: { metadata: {}, status: 'Success' } }
      : {
          convertedObjects: null,
          result: { metadata: {}, status: 'Failure', message: failureOf(ending.error, call) },
        }
  // Go writes an empty list as null.
  const convertedObjects = response.convertedObjects?.length === 0 ? null : response.convertedObjects
  return {
    status: 200,
    body: { kind, apiVersion, response: { uid: request.uid, ...response, convertedObjects } },
  }
}

function requestOf(value: unknown): Request | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { uid, desiredAPIVersion, objects } = value as Record<string, unknown>
  if (objects !== undefined && objects !== null && !Array.isArray(objects)) return undefined
  return {
    uid: textOf(uid),
    desiredAPIVersion: textOf(desiredAPIVersion),
    objects: (objects ?? []) as readonly unknown[],
  }
}

function convertAny(object: unknown, apiVersion: string, converters: readonly KindConverter[]): object {
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    throw new HomeostatError('CONVERSION_FAILED', `${JSON.stringify(object)} is not an object`)
  const { apiVersion: given, kind } = object as Record<string, unknown>
  const { group } = parseApiVersion(textOf(given))
  const converter =
    converters.find(({ stored }) => stored.kind === kind && stored.group === group) ?? converters[0]!
  return converter.convert(object, apiVersion)
}

function failureOf(error: unknown, call: ReviewCall): string {
  if (!isCodeMistake(error)) {
    call.environment.logger.error({ webhook: call.path, error }, 'failed to convert')
    return messageOf(error)
  }
  call.panicked()
  call.environment.logger.error({ webhook: call.path, error }, 'observed a panic in a conversion')
  return 'internal error occurred during conversion'
}
