/** Why a request failed: the reasons that the API defines, for programs to branch on. */
export type StatusReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'RequestEntityTooLarge'
  | 'InternalError'
  | 'ServiceUnavailable'
  | 'StoreReadError'
  | 'Unknown'
  | (string & {})

/** One problem: for `Invalid` a field, for a conflict of an apply a field and its manager. */
export interface StatusCause {
  reason?: string | undefined
  message?: string | undefined
  field?: string | undefined
}

/** The answer of the API in place of an object, above all for a failure. */
export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: Record<string, unknown>
  status: 'Success' | 'Failure'
  message?: string | undefined
  reason?: StatusReason | undefined
  details?: StatusDetails | undefined
  code: number
}

export interface StatusDetails {
  name?: string | undefined
  group?: string | undefined
  /** The resource in the plural for most failures, the kind for `Invalid`. */
  kind?: string | undefined
  uid?: string | undefined
  causes?: StatusCause[] | undefined
  retryAfterSeconds?: number | undefined
}
