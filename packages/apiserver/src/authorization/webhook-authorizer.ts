import type { Clock } from '@homeostat/api'
import type { Attributes, Authorization, Decision, NamespaceRules, User } from '../auth/index.ts'
import { ExpiringCache, type ReviewClient } from '../review-webhooks/index.ts'
import { textOf, type JsonObject } from '../schema/index.ts'
import type { WebhookSettings } from './authorization-configuration.ts'
import { meetsReview } from './review-conditions.ts'
import { inOldVersion, reviewSpec } from './subject-access-review.ts'

/** How many answers are kept. */
const MOST_ANSWERS = 8_192
/** Answers about attributes of at least this length are not kept, since clients could fill the memory with them. */
const LONGEST_KEPT = 10_000

/** Asks a webhook, by a SubjectAccessReview, and keeps its answers for a time. */
export class WebhookAuthorizer implements Authorization {
  readonly #settings: WebhookSettings
  readonly #client: ReviewClient
  readonly #clock: Clock
  readonly #answers: ExpiringCache<Decision>

  constructor(settings: WebhookSettings, client: ReviewClient, clock: Clock) {
    this.#settings = settings
    this.#client = client
    this.#clock = clock
    this.#answers = new ExpiringCache(() => clock.now(), MOST_ANSWERS)
  }

  readonly authorize = (user: User, attributes: Attributes): Decision | Promise<Decision> => {
    const spec = reviewSpec(user, attributes)
    const met = meetsReview(this.#settings.conditions, spec)
    if (met === false) return { allowed: false, reason: '' }
    if (met !== true) return this.#failed(met)
    const key = JSON.stringify(spec)
    return this.#answers.get(key) ?? this.#ask(spec, key, lengthOf(attributes) < LONGEST_KEPT)
  }

  rulesFor(): NamespaceRules {
    const problem = 'webhook authorizer does not support user rule resolution'
    return { rules: [], problem, isIncomplete: true }
  }

  async #ask(spec: JsonObject, key: string, isKept: boolean): Promise<Decision> {
    const { version, authorizedLifetime, unauthorizedLifetime } = this.#settings
    // A simulated clock stands still until the answer is there.
    using _ = this.#clock.busy('asking an authorization webhook')
    try {
      const review = { group: 'authorization.k8s.io', version, kind: 'SubjectAccessReview' }
      const status = await this.#client.ask(review, version === 'v1' ? spec : inOldVersion(spec))
      const decision = decisionOf(status)
      const isAllowed = status['allowed'] === true
      if (isKept) this.#answers.set(key, decision, isAllowed ? authorizedLifetime : unauthorizedLifetime)
      return decision
    } catch (error) {
      return this.#failed(error instanceof Error ? error.message : String(error))
    }
  }

  #failed(error: string): Decision {
    return { allowed: false, reason: '', denied: this.#settings.deniesOnFailure, error }
  }
}

function decisionOf({ allowed, denied, reason }: JsonObject): Decision {
  const why = textOf(reason ?? '')
  if (denied !== true) return { allowed: allowed === true, reason: why }
  if (allowed !== true) return { allowed: false, denied: true, reason: why }
  const error = 'webhook subject access review returned both allow and deny response'
  return { allowed: false, denied: true, reason: why, error }
}

function lengthOf({ verb, path, resource, subresource, namespace, name }: Attributes): number {
  const { group, version, plural } = resource ?? { group: '', version: '', plural: '' }
  const parts = [verb, path, group, version, plural, subresource, namespace, name]
  return parts.reduce((sum, part = '') => sum + part.length, 0)
}
