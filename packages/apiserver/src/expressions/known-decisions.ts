import type { Attributes, Authorizer, Decision, User } from '../auth/index.ts'

/** An expression needs a decision for which an authorizer must wait. It is evaluated again once the decision is known. */
class Undecided {
  readonly decision: Promise<void>

  constructor(decision: Promise<void>) {
    this.decision = decision
  }
}

/** The decisions that the expressions of one request have asked for. Each question is asked once. */
export class KnownDecisions {
  readonly #authorize: Authorizer
  readonly #known = new Map<string, Decision>()

  constructor(authorize: Authorizer) {
    this.#authorize = authorize
  }

  /** Throws where the decision is not known yet: `whenKnown` waits for it. */
  decide(user: User, attributes: Attributes): Decision {
    const key = JSON.stringify([user, attributes])
    const known = this.#known.get(key)
    if (known) return known
    const decision = this.#authorize(user, attributes)
    if (decision instanceof Promise) {
      throw new Undecided(decision.then((made) => void this.#known.set(key, made)))
    }
    this.#known.set(key, decision)
    return decision
  }
}

/**
 * The result of a function that evaluates expressions and has no other effect. It is called again each time a decision that it
 * needs has become known. Returns a promise only where it needs such a decision.
 */
export function whenKnown<T>(evaluate: () => T): T | Promise<T> {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof Undecided) return error.decision.then(() => whenKnown(evaluate))
    throw error
  }
}
