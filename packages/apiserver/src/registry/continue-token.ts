import { failure } from '@homeostat/api'
import { Failure } from './failure.ts'

/** Where a list that came in pieces goes on. */
export interface Continuation {
  /** The revision that all pieces show; -1 for whatever is there now. */
  readonly revision: number
  /** The last key that was given out. */
  readonly after: string
}

const VERSION = 'meta.k8s.io/v1'

/** The continuation as text that only this server reads. */
export function formatContinue(continuation: Continuation): string {
  const text = JSON.stringify({ v: VERSION, rv: continuation.revision, start: `${continuation.after}\0` })
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The reverse; fails with `BadRequest` on anything that this server did not write. */
export function parseContinue(token: string): Continuation {
  try {
    const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
    const { v, rv, start } = JSON.parse(text) as { v?: unknown; rv?: unknown; start?: unknown }
    if (v === VERSION && Number.isInteger(rv) && typeof start === 'string' && start.endsWith('\0')) {
      return { revision: rv as number, after: start.slice(0, -1) }
    }
  } catch {
    // Falls through to the one answer for all tokens that cannot be read.
  }
  throw new Failure(
    failure.badRequest('invalid continue token: continue key is not valid: this server did not give it'),
  )
}
