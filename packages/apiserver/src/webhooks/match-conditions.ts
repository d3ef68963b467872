import { failure } from '@homeostat/api'
import { CostLimitExceeded, EvaluationError, Meter, type Value } from '@homeostat/cel'
import type { AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import {
  authorizerInCel,
  compileMatchCondition,
  ExpressionProblem,
  jsonInCel,
  requestResourceInCel,
  type CompiledExpression,
} from '../expressions/index.ts'
import { Failure } from '../registry/index.ts'
import type { JsonObject } from '../schema/index.ts'
import { reviewOf, reviewRequest, type Invocation } from './review.ts'
import type { Webhook } from './webhook.ts'

/** What one condition may cost for one request. */
const COST_LIMIT = 1_000_000
/** What all conditions of a webhook may cost together for one request. */
const BUDGET = 2_500_000
const OVER_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run'

/** Evaluates the match conditions of webhooks. Each webhook's are compiled once. */
export class MatchConditions {
  readonly #authorize: Authorizer
  readonly #compiled = new WeakMap<Webhook, readonly (CompiledExpression | ExpressionProblem)[]>()

  constructor(authorize: Authorizer) {
    this.#authorize = authorize
  }

  /**
   * Whether all conditions hold. Fails with `Failure` where one cannot be evaluated, none is false, and the webhook's
   * failure policy is `Fail`.
   */
  match(invocation: Invocation, request: AdmissionRequest): boolean {
    const { webhook } = invocation
    if (webhook.matchConditions.length === 0) return true
    const variables = this.#variables(invocation, request)
    const problems: string[] = []
    let budget = BUDGET
    for (const [index, compiled] of this.#expressions(webhook).entries()) {
      const meter = new Meter(Math.min(budget, COST_LIMIT))
      const { isFalse, problem } = evaluate(compiled, variables, meter, budget)
      if (isFalse) return false
      if (problem === undefined) budget -= meter.cost
      else {
        const { expression = '' } = webhook.matchConditions[index] ?? {}
        problems.push(`expression '${expression}' resulted in error: ${problem}`)
      }
    }
    if (problems.length === 0) return true
    if (webhook.failurePolicy === 'Ignore') return false
    const { group, plural } = request.resource
    throw new Failure(failure.forbidden({ group, plural }, request.name, joined(problems)))
  }

  /** What conditions see of a request. They may name the namespace's object, but kube-apiserver gives it to policies alone. */
  #variables(invocation: Invocation, request: AdmissionRequest): ReadonlyMap<string, Value> {
    return new Map([
      ['object', jsonInCel(invocation.object)],
      ['oldObject', jsonInCel(invocation.oldObject)],
      ['request', jsonInCel(requestInConditions(request, invocation))],
      ['namespaceObject', null],
      ['authorizer', authorizerInCel(this.#authorize, request.user)],
      [
        'authorizer.requestResource',
        requestResourceInCel(this.#authorize, request.user, {
          resource: invocation.resource,
          subresource: request.subresource,
          namespace: request.namespace,
          name: request.name || undefined,
        }),
      ],
    ])
  }

  #expressions(webhook: Webhook): readonly (CompiledExpression | ExpressionProblem)[] {
    let expressions = this.#compiled.get(webhook)
    if (!expressions) {
      expressions = webhook.matchConditions.map(({ expression }) => compileMatchCondition(expression))
      this.#compiled.set(webhook, expressions)
    }
    return expressions
  }
}

function evaluate(
  compiled: CompiledExpression | ExpressionProblem,
  variables: ReadonlyMap<string, Value>,
  meter: Meter,
  budget: number,
): { readonly isFalse: boolean; readonly problem?: string } {
  if (compiled instanceof ExpressionProblem) return { isFalse: false, problem: compiled.message }
  try {
    const value = compiled.program.evaluate((name) => variables.get(name), meter)
    if (value instanceof EvaluationError) return { isFalse: false, problem: value.message }
    return { isFalse: value === false }
  } catch (error) {
    if (!(error instanceof CostLimitExceeded)) throw error
    return { isFalse: false, problem: budget < COST_LIMIT ? OVER_BUDGET : error.message }
  }
}

/** The request of a review, without the objects: they are variables of their own. */
function requestInConditions(request: AdmissionRequest, invocation: Invocation): JsonObject {
  const review = reviewRequest(reviewOf(request, invocation, 'v1', ''))
  return { ...review, object: null, oldObject: null }
}

/** Several problems, as Go joins them. */
function joined(problems: readonly string[]): string {
  const different = [...new Set(problems)]
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`
}
