import { formatKey, HomeostatError, type AnyKind, type Status } from '@homeostat/api'
import { resourceName } from './route.ts'

/** The request that failed. */
export interface FailedRequest {
  /** As RBAC names it, or `apply`. */
  readonly verb: string
  readonly kind: AnyKind
  /** The object, or at least its namespace, where one was named. */
  readonly key?: { readonly name?: string | undefined; readonly namespace?: string | undefined } | undefined
  readonly subresource?: string | undefined
}

/**
 * The server answered with a failure. `status` is its answer. `code` is `API_` and the reason in capitals, such as
 * `API_NOT_FOUND` or `API_FORBIDDEN`. Two codes say more than the reason: `API_APPLY_CONFLICT` if other managers own
 * the fields, and `API_KIND_NOT_SERVED` if the server does not know the kind at all.
 */
export class ApiError extends HomeostatError {
  override readonly name = 'ApiError'
  readonly status: Status
  /** The request: `apply of deployments.apps default/web`. */
  readonly what: string
  readonly #kind: AnyKind

  constructor(status: Status, request: FailedRequest) {
    const code = codeOf(status)
    super(code, messageOf(code, status, request))
    this.status = status
    this.what = describe(request)
    this.#kind = request.kind
  }

  /** The kind that was requested. */
  get kind(): AnyKind {
    return this.#kind
  }
}

/** There is no such object. For a kind that the server does not serve see {@link isKindNotServed}. */
export function isNotFound(error: unknown): error is ApiError {
  return hasCode(error, 'API_NOT_FOUND')
}

/** The server does not know the kind: its CustomResourceDefinition does not exist, or is not served yet. */
export function isKindNotServed(error: unknown): error is ApiError {
  return hasCode(error, 'API_KIND_NOT_SERVED')
}

/** A write lost a race: the object has changed since it was read. */
export function isConflict(error: unknown): error is ApiError {
  return hasCode(error, 'API_CONFLICT')
}

/** An apply sets fields that other managers own with other values. */
export function isApplyConflict(error: unknown): error is ApiError {
  return hasCode(error, 'API_APPLY_CONFLICT')
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return hasCode(error, 'API_ALREADY_EXISTS')
}

/** The object does not fit its schema or the rules of its kind. */
export function isInvalid(error: unknown): error is ApiError {
  return hasCode(error, 'API_INVALID')
}

/** The server knows the user, and the user may not do this. */
export function isForbidden(error: unknown): error is ApiError {
  return hasCode(error, 'API_FORBIDDEN')
}

/** The server does not accept the credentials of the request. */
export function isUnauthorized(error: unknown): error is ApiError {
  return hasCode(error, 'API_UNAUTHORIZED')
}

/** The requested resourceVersion or continue token is too old. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status.code === 410
}

/** The same as {@link isExpired}: servers answer 410 with either reason. */
export function isGone(error: unknown): error is ApiError {
  return isExpired(error)
}

export function isTooManyRequests(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status.code === 429
}

/** The server cannot answer now; a later retry may succeed. */
export function isServerUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && [500, 502, 503, 504].includes(error.status.code)
}

function hasCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** The words of `details.causes` that say which manager holds a field. */
function isFieldManagerConflict(status: Status): boolean {
  return status.details?.causes?.some((cause) => cause.reason === 'FieldManagerConflict') ?? false
}

function codeOf(status: Status): string {
  if (status.code === 404 && !status.details?.name) return 'API_KIND_NOT_SERVED'
  if (status.code === 409 && isFieldManagerConflict(status)) return 'API_APPLY_CONFLICT'
  const reason = status.reason || 'Unknown'
  return `API_${reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}`
}

function messageOf(code: string, status: Status, request: FailedRequest): string {
  const said = status.message ?? status.reason ?? 'no reason was given'
  const remedy = remedyFor(code, status, request)
  return `${describe(request)} failed: ${said.replace(/\.?\s*$/, '')} (${status.code}).${remedy && ` ${remedy}.`}`
}

/** `update of deployments.apps default/web`, for messages. */
function describe({ verb, kind, key, subresource }: FailedRequest): string {
  const resource = subresource === undefined ? resourceName(kind) : `${resourceName(kind)}/${subresource}`
  if (key?.name) return `${verb} of ${resource} ${formatKey({ ...key, name: key.name })}`
  return key?.namespace ? `${verb} of ${resource} in ${key.namespace}` : `${verb} of ${resource}`
}

function remedyFor(code: string, status: Status, request: FailedRequest): string {
  const { kind } = request
  switch (code) {
    case 'API_KIND_NOT_SERVED': {
      const part =
        request.subresource === undefined ? '' : `, or ${kind.kind} has no ${request.subresource} subresource`
      return kind.group.includes('.') && kind.schema
        ? `The server does not serve ${kind.kind} in ${kind.group}/${kind.version}: install its CustomResourceDefinition ${resourceName(kind)}${part}`
        : `The server does not serve ${kind.kind} in this version: check the group and version${part}`
    }
    case 'API_CONFLICT':
      return 'The object has changed since it was read: read it again and repeat the change'
    case 'API_APPLY_CONFLICT':
      return 'Leave these fields out, or take them over with an apply without { force: false }'
    case 'API_ALREADY_EXISTS':
      return 'Use apply or update for an object that may already exist'
    case 'API_INVALID':
      return 'Correct the named fields'
    case 'API_FORBIDDEN':
      return status.message?.includes('cannot')
        ? `Grant ${rbacVerb(request.verb)} on ${resourceName(kind)}${request.subresource ? `/${request.subresource}` : ''} to this user with a Role or ClusterRole`
        : ''
    case 'API_UNAUTHORIZED':
      return 'Check the token or the client certificate: it may have expired, or belong to another cluster'
    case 'API_EXPIRED':
    case 'API_GONE':
      return 'List again and continue from the new list'
    case 'API_TOO_MANY_REQUESTS':
      return 'The server is busy, or a PodDisruptionBudget does not allow this now: send requests less often'
    default:
      return ''
  }
}

function rbacVerb(verb: string): string {
  return verb === 'apply' ? 'patch (and create)' : verb
}
