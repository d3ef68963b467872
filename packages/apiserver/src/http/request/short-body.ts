import { failure, type ApiRequest } from '@homeostat/api'
import { Failure, isLargeBody } from '../../registry/index.ts'

/**
 * The body of a request that stores no object: a review, a scale, an eviction, options. Such a body is parsed in one
 * turn of the event loop, and therefore limited: a longer one fails with `RequestEntityTooLarge`.
 */
export function shortBody(request: ApiRequest): Uint8Array {
  const { body = new Uint8Array() } = request
  if (isLargeBody(body)) {
    const why = 'a request for this resource may have at most 65536 bytes'
    throw new Failure(failure.requestEntityTooLarge(why))
  }
  return body
}
