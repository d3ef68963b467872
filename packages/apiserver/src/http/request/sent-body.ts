import { type Kind, type ObjectBody, readObjectBody, type SentBody } from '../../registry/index.ts'
import type { Call } from './call.ts'
import { shortBody } from './short-body.ts'

/**
 * Reads the object in the body of a request that does not store it, such as a review, and checks its kind. Fails with
 * the Status to answer.
 */
export function objectBody(call: Call, expected: Kind = call.resource): ObjectBody {
  return readObjectBody({ ...sentBody(call), body: shortBody(call.request), expected })
}

/** The body of a request for a resource, with what the request says about it. */
export function sentBody({ request, resource, route }: Call): SentBody {
  const { body = new Uint8Array(), headers, query } = request
  const ignores = query.get('fieldValidation') === 'Ignore'
  return { body, contentType: headers['content-type'], resource, namespace: route.namespace, ignores }
}
