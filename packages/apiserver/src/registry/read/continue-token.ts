import { failure } from '@homeostat/api'
import { jsonSyntaxProblem } from '../../wire/index.ts'
import { Failure } from '../resource/failure.ts'

/** Where the next page of a list begins. */
export interface Continuation {
  /** The revision of all pages; -1 for the current one. */
  readonly revision: number
  /** The last key of the page before. */
  readonly after: string
}

const VERSION = 'meta.k8s.io/v1'

/** Encodes a continuation. */
export function formatContinue(continuation: Continuation): string {
  const text = JSON.stringify({ v: VERSION, rv: continuation.revision, start: `${continuation.after}\0` })
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes a continuation; fails with `BadRequest` on other texts. */
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
  const problem = jsonSyntaxProblem(Uint8Array.from(text, (char) => char.charCodeAt(0)))
  if (problem !== undefined) refuse(problem)
  try {
    const { v = '', rv = 0, start = '' } = JSON.parse(text) as Record<string, unknown>
    if (
      typeof v === 'string' &&
      typeof rv === 'number' &&
      Number.isInteger(rv) &&
      typeof start === 'string'
    ) {
      return { v, rv, start }
    }
  } catch {
    // Falls through to the common answer for unreadable tokens.
  }
  return refuse(`invalid character '${text.slice(0, 1)}' looking for beginning of value`)
}

function refuse(why: string): never {
  throw new Failure(failure.badRequest(`invalid continue token: continue key is not valid: ${why}`))
}
