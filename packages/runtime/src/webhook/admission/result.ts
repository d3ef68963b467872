import {
  checkOptionNames,
  optionNames,
  type JsonPatchOperation,
  type Status,
  type StatusReason,
} from '@homeostat/api'

/** A Status in a review: it has no apiVersion, kind and metadata. */
export type ReviewStatus = Partial<Omit<Status, 'kind' | 'apiVersion' | 'metadata'>>

/** The request is allowed. */
export interface Allowed {
  readonly type: 'allowed'
  readonly message: string
}

/** The request is refused. */
export interface Denied {
  readonly type: 'denied'
  readonly status: ReviewStatus
}

/** The request is allowed with a changed object. */
export interface Patched {
  readonly type: 'patched'
  readonly message: string
  /** Operations, or the object as it should be. */
  readonly change: readonly JsonPatchOperation[] | object
}

/** How a request is refused. */
export interface DeniedOptions {
  /** The HTTP status code that the client sees. Default: 403. */
  readonly code?: number | undefined
  /** The word that clients branch on. Default: `Forbidden`. */
  readonly reason?: StatusReason | undefined
}

const DENIED_OPTIONS = optionNames<DeniedOptions>('denied', { code: true, reason: true })

/** Allows a request. */
export function allowed(message = ''): Allowed {
  return { type: 'allowed', message }
}

/**
 * Refuses a request with a message, as `Forbidden` by default. If a field of an object is wrong, return field errors
 * instead, such as {@link invalid} returns.
 */
export function denied(message: string, options: DeniedOptions = {}): Denied {
  checkOptionNames(options, DENIED_OPTIONS)
  return {
    type: 'denied',
    status: { message, reason: options.reason ?? 'Forbidden', code: options.code ?? 403 },
  }
}

/**
 * Allows a request with a changed object. Takes either the changed object, from which it computes the smallest patch,
 * or the operations of a JSON patch.
 */
export function patched(change: readonly JsonPatchOperation[] | object, message = ''): Patched {
  return { type: 'patched', message, change }
}
