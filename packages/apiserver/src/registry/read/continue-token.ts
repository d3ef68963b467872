import { failure } from '@homeostat/api'
import { Failure } from '../resource/failure.ts'

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
  const { v, rv, start } = decoded(token)
  if (v !== VERSION) refuse(`server does not recognize this encoded version ${v}`)
  if (rv === 0) refuse(`incorrect encoded start resourceVersion (version ${VERSION})`)
  if (start === '') refuse(`encoded start key empty (version ${VERSION})`)
  return { revision: rv, after: start.replace(/\0$/, '') }
}

function decoded(token: string): { v: string; rv: number; start: string } {
  const strange = /[^\w-]/.exec(token)
  if (strange) refuse(`illegal base64 data at input byte ${strange.index}`)
  if (token.length % 4 === 1) refuse(`illegal base64 data at input byte ${token.length - 1}`)
  const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
  try {
    const { v = '', rv = 0, start = '' } = JSON.parse(text) as Record<string, unknown>
    if (typeof v === 'string' && Number.isInteger(rv) && typeof start === 'string') {
      return { v, rv: rv as number, start }
    }
  } catch {
    // Falls through to the one answer for all tokens that cannot be read.
  }
  return refuse(`invalid character '${text.slice(0, 1)}' looking for beginning of value`)
}

function refuse(why: string): never {
  throw new Failure(failure.badRequest(`invalid continue token: continue key is not valid: ${why}`))
}
