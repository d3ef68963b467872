import type { ApiResponse } from '../exchange/index.ts'
import { goQuote } from '../patches/index.ts'
import type { Status, StatusCause, StatusDetails, StatusReason } from './status.ts'

/** The type in a failure, as a path names it: a `Kind` fits. */
interface ResourceName {
  readonly group: string
  readonly plural: string
}

/** The type in a failure, as an object names it: a `Kind` fits. */
interface KindName {
  readonly group: string
  readonly kind: string
}

/** There is no such object. */
export function notFound(resource: ResourceName, name: string): Status {
  return failure(
    404,
    'NotFound',
    `${qualified(resource)} ${goQuote(name)} not found`,
    detailsOf(resource, name),
  )
}

/** The server does not serve the path. */
export function pathNotFound(): Status {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {})
}

/** An object with this name already exists. */
export function alreadyExists(resource: ResourceName, name: string): Status {
  return failure(
    409,
    'AlreadyExists',
    `${qualified(resource)} ${goQuote(name)} already exists`,
    detailsOf(resource, name),
  )
}

/** The server found no free name for `metadata.generateName`. */
export function generateNameConflict(resource: ResourceName, name: string, retryAfterSeconds = 1): Status {
  return failure(
    409,
    'AlreadyExists',
    `${qualified(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...detailsOf(resource, name), retryAfterSeconds },
  )
}

/** The message for a write whose object has changed since the writer read it. */
export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again'

/** Another write came first (409). `why` is {@link MODIFIED} for a stale resourceVersion. */
export function conflict(resource: ResourceName, name: string, why: string = MODIFIED): Status {
  return failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} ${goQuote(name)}: ${why}`,
    detailsOf(resource, name),
  )
}

/** Another manager owns fields that were applied: one cause of reason `FieldManagerConflict` for each. */
export function applyConflict(causes: readonly StatusCause[], message: string): Status {
  return failure(409, 'Conflict', message, causes.length > 0 ? { causes: [...causes] } : {})
}

/** The object breaks rules of its kind: one cause for each field. */
export function invalid(kind: KindName, name: string, causes: readonly StatusCause[]): Status {
  const sentences = [...new Set(causes.map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`))]
  const list = sentences.length === 1 ? sentences[0] : `[${sentences.join(', ')}]`
  const subject = `${kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`} ${goQuote(name)} is invalid`
  return failure(422, 'Invalid', sentences.length === 0 ? subject : `${subject}: ${list}`, {
    ...named(name, kind.group, kind.kind),
    ...(causes.length > 0 ? { causes: [...causes] } : {}),
  })
}

/** The request itself is not valid. */
export function badRequest(message: string): Status {
  return failure(400, 'BadRequest', message)
}

/** The caller could not be identified. */
export function unauthorized(message = 'Unauthorized'): Status {
  return failure(401, 'Unauthorized', message)
}

/** The caller may not do this. Without a resource, access to the path itself is refused. */
export function forbidden(resource: ResourceName | undefined, name: string, why: string): Status {
  if (!resource) return failure(403, 'Forbidden', `forbidden: ${why}`, named(name, '', ''))
  const subject = name === '' ? qualified(resource) : `${qualified(resource)} ${goQuote(name)}`
  return failure(403, 'Forbidden', `${subject} is forbidden: ${why}`, detailsOf(resource, name))
}

/** The resource does not support this action. */
export function methodNotSupported(resource: ResourceName, action: string): Status {
  return failure(
    405,
    'MethodNotAllowed',
    `${action} is not supported on resources of kind ${goQuote(qualified(resource))}`,
    detailsOf(resource, ''),
  )
}

/** The server serves the path, but not with this method. */
export function methodNotAllowed(): Status {
  return failure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  )
}

/** The requested revision is no longer in the history: list again. */
export function expired(message: string): Status {
  return failure(410, 'Expired', message)
}

/** The requested resource is permanently gone. A revision that is too old is {@link expired}. */
export function gone(message: string): Status {
  return failure(410, 'Gone', message)
}

/** None of the media types that the caller accepts can be served. */
export function notAcceptable(accepted: readonly string[]): Status {
  return failure(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`)
}

/** The server does not accept the media type of the body. */
export function unsupportedMediaType(accepted: readonly string[]): Status {
  return failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )
}

/** The body is longer than the server's limit. */
export function requestEntityTooLarge(message: string): Status {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`)
}

/** The caller sends too many requests, and may retry after the given number of seconds. */
export function tooManyRequests(message: string, retryAfterSeconds: number): Status {
  return failure(429, 'TooManyRequests', message, retryAfter(retryAfterSeconds))
}

/** The server failed for a reason that the caller did not cause. */
export function internalError(message: string): Status {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })
}

/** The server failed in a way for which Kubernetes gives a message and no reason. */
export function withoutReason(message: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
}

/** A temporary problem prevented the operation: it was not done, and may be retried. */
export function serverTimeout(resource: ResourceName, operation: string, retryAfterSeconds: number): Status {
  return failure(
    500,
    'ServerTimeout',
    `The ${operation} operation against ${qualified(resource)} could not be completed at this time, please try again.`,
    { ...detailsOf(resource, operation), ...retryAfter(retryAfterSeconds) },
  )
}

/** The server, or a server that it depends on, cannot answer now. */
export function serviceUnavailable(message: string): Status {
  return failure(503, 'ServiceUnavailable', message)
}

/** No answer came in time; the operation may still complete. */
export function timeout(message: string, retryAfterSeconds: number): Status {
  return failure(504, 'Timeout', `Timeout: ${message}`, retryAfter(retryAfterSeconds))
}

/** The requested revision is newer than the server's latest: it may arrive soon. */
export function resourceVersionTooLarge(asked: number, current: number, retryAfterSeconds = 1): Status {
  return failure(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...retryAfter(retryAfterSeconds),
  })
}

const REASONS: ReadonlyMap<number, StatusReason> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
])

/**
 * The whole response of a server that fails a request, with the reason that goes with the code: for tests that inject
 * failures.
 */
export function response(code: number, message: string): ApiResponse {
  const status = failure(code, REASONS.get(code) ?? 'Unknown', message)
  return {
    status: code,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(status)),
  }
}

function failure(code: number, reason: StatusReason, message: string, details?: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details ? { details } : {}),
    code,
  }
}

function detailsOf(resource: ResourceName, name: string): StatusDetails {
  return named(name, resource.group, resource.plural)
}

/** Empty values are left out, as the API leaves them out. */
function named(name: string, group: string, kind: string): StatusDetails {
  return { ...(name && { name }), ...(group && { group }), ...(kind && { kind }) }
}

function retryAfter(retryAfterSeconds: number): StatusDetails {
  return retryAfterSeconds === 0 ? {} : { retryAfterSeconds }
}

/** `deployments.apps`, or `pods` for the core group. */
function qualified(resource: ResourceName): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
}
