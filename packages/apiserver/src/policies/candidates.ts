import type { AdmissionRequest } from '../admission/index.ts'
import type { RequestMatcher } from '../matching/index.ts'
import type { BoundPolicy } from './configured-policies.ts'

/**
 * Finds the policies that a request may concern. Most policies are for a few resources, so most requests need not look
 * at most policies.
 */
export class Candidates {
  readonly #matcher: RequestMatcher
  readonly #found = new WeakMap<
    object,
    { readonly from: readonly BoundPolicy[]; readonly candidates: readonly BoundPolicy[] }
  >()

  constructor(matcher: RequestMatcher) {
    this.#matcher = matcher
  }

  /** The policies whose rules do not exclude the request, in their order. */
  of(policies: readonly BoundPolicy[], request: AdmissionRequest): readonly BoundPolicy[] {
    const kind = this.#matcher.kindOf(request)
    const known = this.#found.get(kind)
    if (known?.from === policies) return known.candidates
    const candidates = policies.filter(({ policy }) => this.#matcher.mayMeet(policy.criteria, request))
    this.#found.set(kind, { from: policies, candidates })
    return candidates
  }
}
