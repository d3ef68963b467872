import { failure } from '@homeostat/api'
import { CelError, DYN, Environment, Language, type Expression } from '@homeostat/cel'
import type { AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import {
  AUTHORIZER_TYPE,
  authorizerInCel,
  authorizerLibrary,
  jsonInCel,
  REQUEST_RESOURCE_TYPE,
  requestResourceInCel,
} from '../expressions/index.ts'
import { Failure } from '../registry/index.ts'
import { patterns } from '../validation/index.ts'
import { reviewOf, reviewRequest, type Invocation } from './review.ts'
import type { MatchCondition, Webhook } from './webhook.ts'

/** What one condition may cost for one request. */
const COST_LIMIT = 1_000_000
/** What all conditions of a webhook may cost together for one request. */
const BUDGET = 2_500_000
const OVER_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** Evaluates the match conditions of webhooks. Each webhook's are compiled once. */
export class MatchConditions {
  readonly #environment = new Environment(
    {
      object: DYN,
      oldObject: DYN,
      request: DYN,
      authorizer: AUTHORIZER_TYPE,
      'authorizer.requestResource': REQUEST_RESOURCE_TYPE,
    },
    { language: new Language({ patterns, libraries: [authorizerLibrary] }) },
  )
  readonly #authorize: Authorizer
  readonly #compiled = new WeakMap<Webhook, readonly (Expression | CelError)[]>()

  constructor(authorize: Authorizer) {
    this.#authorize = authorize
  }

  /**
   * Whether all conditions hold. Fails with `Failure` where one cannot be evaluated, none is false, and the webhook's
   * failure policy is `Fail`.
   */
  match(invocation: Invocation, request: AdmissionRequest): boolean {
    const { webhook, object, oldObject } = invocation
    if (webhook.matchConditions.length === 0) return true
    const values = {
      object: jsonInCel(object),
      oldObject: jsonInCel(oldObject),
      request: jsonInCel(reviewRequest(reviewOf(request, invocation, 'v1', ''))),
      authorizer: authorizerInCel(this.#authorize, request.user),
      'authorizer.requestResource': requestResourceInCel(this.#authorize, request.user, {
        resource: invocation.resource,
        subresource: request.subresource,
        namespace: request.namespace,
        name: request.name || undefined,
      }),
    }
    const problems: string[] = []
    let budget = BUDGET
    for (const [index, expression] of this.#expressions(webhook).entries()) {
      try {
        if (expression instanceof CelError) throw expression
        const { value, cost } = expression.evaluate(values, { costLimit: Math.min(budget, COST_LIMIT) })
        if (value === false) return false
        budget -= cost
      } catch (error) {
        if (!(error instanceof CelError)) throw error
        const isOverBudget = error.code === 'CEL_COST_LIMIT' && budget < COST_LIMIT
        const why = isOverBudget ? OVER_BUDGET : error.message
        problems.push(
          `expression '${webhook.matchConditions[index]?.expression ?? ''}' resulted in error: ${why}`,
        )
      }
    }
    if (problems.length === 0) return true
    if (webhook.failurePolicy === 'Ignore') return false
    const { group, plural } = request.resource
    throw new Failure(failure.forbidden({ group, plural }, request.name, joined(problems)))
  }

  #expressions(webhook: Webhook): readonly (Expression | CelError)[] {
    let expressions = this.#compiled.get(webhook)
    if (!expressions) {
      expressions = webhook.matchConditions.map((condition) => this.#compile(condition))
      this.#compiled.set(webhook, expressions)
    }
    return expressions
  }

  #compile({ expression }: MatchCondition): Expression | CelError {
    try {
      return this.#environment.compile(expression)
    } catch (error) {
      if (!(error instanceof CelError)) throw error
      return error
    }
  }
}

/** Several problems, as Go joins them. */
function joined(problems: readonly string[]): string {
  const different = [...new Set(problems)]
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`
}
