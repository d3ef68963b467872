import type { Status } from '@homeostat/api'

/**
 * Why a body cannot be read, as a Kubernetes API server's message. The caller, which knows the expected kind,
 * answers.
 */
export class BodyError extends Error {
  /** The kind that the body names, where decoding came that far. */
  readonly said: { readonly kind: string; readonly version: string } | undefined
  /** The whole answer, where it does not depend on what was expected. */
  readonly status: Status | undefined

  constructor(message: string, said?: BodyError['said'], status?: Status) {
    super(message)
    this.said = said
    this.status = status
  }
}

/** A body that is refused before it is read, with the Status to answer. */
export function refusedBody(status: Status): BodyError {
  return new BodyError(status.message ?? '', undefined, status)
}

/**
 * The deepest nesting of a body. Kubernetes allows ten times as much; here functions over objects are recursive, and
 * the stack is small.
 */
export const DEPTH_LIMIT = 1_000

/** The failure for a body that is nested too deep; `problem` is Go's message, if it has one. */
export function tooDeep(
  problem = `the body of the request is nested deeper than ${DEPTH_LIMIT} levels`,
): BodyError {
  return new BodyError(problem)
}

const SHOWN = 30

/** The beginning of a body, for a message about it: as text where it looks like JSON. */
export function summarizeBody(body: Uint8Array): string {
  if (body.length === 0) return '<empty>'
  const start = body.subarray(0, SHOWN)
  const text =
    body[0] === 0x7b
      ? new TextDecoder().decode(start)
      : Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return body.length > SHOWN ? `${text} ...` : text
}
