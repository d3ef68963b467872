import type { AdmissionRequest } from '../admission/index.ts'
import { inVersion, RequestMatcher, type VersionedRequest } from '../matching/index.ts'
import type { Registry } from '../registry/index.ts'
import type { MatchConditions } from './match-conditions.ts'
import type { Invocation } from './review.ts'
import type { Webhook } from './call/webhook.ts'

/** Decides which webhooks are called for a request, and in which version they see its object. */
export class RelevantWebhooks {
  readonly #registry: Registry
  readonly #matcher: RequestMatcher
  readonly #conditions: MatchConditions

  constructor(registry: Registry, conditions: MatchConditions) {
    this.#registry = registry
    this.#matcher = new RequestMatcher(registry)
    this.#conditions = conditions
  }

  /**
   * The request for a webhook; undefined where it does not match. Returns a promise only where a webhook must convert
   * the object, or where its conditions ask an authorizer that must wait. Fails with `Failure` where matching fails.
   */
  invocation(
    webhook: Webhook,
    request: AdmissionRequest,
  ): Invocation | undefined | Promise<Invocation | undefined> {
    const resource = this.#matcher.resource(webhook, request)
    if (!resource) return undefined
    const versioned = inVersion(this.#registry, request, resource)
    const matching = (one: VersionedRequest): Invocation | undefined | Promise<Invocation | undefined> => {
      const invocation = { webhook, ...one }
      const met = this.#conditions.match(invocation, request)
      if (met instanceof Promise) return met.then((known) => (known ? invocation : undefined))
      return met ? invocation : undefined
    }
    return versioned instanceof Promise ? versioned.then(matching) : matching(versioned)
  }
}
