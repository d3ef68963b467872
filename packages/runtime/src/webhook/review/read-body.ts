import { messageOf } from '../../reconcile/index.ts'
import type { ReviewCall } from './review-call.ts'

/** Why a body is not read at all. */
export interface BodyProblem {
  readonly code: 400 | 413
  readonly message: string
}

/** The problem of a request before its body is read. `limit` is the first size that is too large, in bytes. */
export function bodyProblem(call: ReviewCall, limit: number): BodyProblem | undefined {
  if (call.body.length === 0) return { code: 400, message: 'request body is empty' }
  if (call.body.length >= limit)
    return { code: 413, message: `request entity is too large; limit is ${limit} bytes` }
  if (call.contentType !== 'application/json')
    return { code: 400, message: `contentType=${call.contentType}, expected application/json` }
  return undefined
}

/** A body that was read: an object, or why it is not one. */
export type JsonBody = { readonly object: Readonly<Record<string, unknown>> } | { readonly problem: string }

const decoder = new TextDecoder()

/** The JSON object in a body. Null counts as an empty object. `parse` is `parseJson` where whole numbers of 64 bits must stay exact. */
export function readJson(body: Uint8Array, parse: (text: string) => unknown = JSON.parse): JsonBody {
  let value: unknown
  try {
    value = parse(decoder.decode(body))
  } catch (error) {
    const message = messageOf(error)
    return {
      problem: /unexpected end/i.test(message)
        ? 'unexpected end of JSON input'
        : `the body is not JSON: ${message}`,
    }
  }
  if (typeof value !== 'object' || Array.isArray(value))
    return { problem: `the body is ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}, not an object` }
  return { object: (value ?? {}) as Record<string, unknown> }
}
