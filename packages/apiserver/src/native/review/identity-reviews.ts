import { failure, timestamp, type ApiResponse } from '@homeostat/api'
import type { TokenReader, User } from '../../auth/index.ts'
import type { Call } from '../../http/index.ts'
import { Failure } from '../../registry/index.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import { reviewAnswer, reviewBody } from './review-body.ts'

/** POST of a SelfSubjectReview: who the sender is. */
export function selfSubjectReviewAction(call: Call): ApiResponse {
  const { kind, apiVersion } = reviewBody(call)
  return reviewAnswer(call, {
    kind,
    apiVersion,
    metadata: { creationTimestamp: timestamp(call.registry.clock.now()) },
    status: { userInfo: userInfo(call.user) },
  })
}

/** POST of a TokenReview: which user a token belongs to. */
export function tokenReviewAction(read: TokenReader): (call: Call) => Promise<ApiResponse> {
  return async (call) => {
    const review = reviewBody(call)
    const spec = objectOf(review['spec'])
    const token = textOf(spec['token'])
    if (token === '') {
      throw new Failure(failure.badRequest('token is required for TokenReview in authentication'))
    }
    const audiences = listOf(spec['audiences']).map(textOf)
    const reading = await read(token, audiences.length > 0 ? audiences : undefined)
    // As in Kubernetes, a field that the client sent stays where the reading has no value for it.
    const sent = objectOf(review['status'])
    const error = reading.problem || sent['error']
    const readers = reading.user ? reading.audiences : sent['audiences']
    review['status'] = {
      ...(reading.user && { authenticated: true }),
      user: reading.user ? userInfo(reading.user) : (sent['user'] ?? {}),
      ...(readers !== undefined && { audiences: readers }),
      ...(error !== undefined && { error }),
    }
    return reviewAnswer(call, review)
  }
}

function userInfo({ name, uid, groups, extra = {} }: User): JsonObject {
  return {
    ...(name && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}
