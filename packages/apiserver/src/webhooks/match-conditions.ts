import { failure } from '@homeostat/api'
import type { Value } from '@homeostat/cel'
import type { AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import {
  compileCondition,
  CONDITIONS_BUDGET,
  Evaluation,
  ExpressionCompiler,
  KnownDecisions,
  joinProblems,
  meetsConditions,
  OutOfBudget,
  RequestValues,
  whenKnown,
  type CompiledExpression,
  type ExpressionProblem,
} from '../expressions/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import { Failure } from '../registry/index.ts'
import type { Invocation } from './review.ts'
import type { Webhook } from './call/webhook.ts'

/** Evaluates the match conditions of webhooks. Each webhook's are compiled once. */
export class MatchConditions {
  readonly #authorize: Authorizer
  readonly #metrics: ServerMetrics
  readonly #type: 'admit' | 'validating'
  readonly #compiler = new ExpressionCompiler({ hasVariables: false })
  readonly #compiled = new WeakMap<Webhook, readonly (CompiledExpression | ExpressionProblem)[]>()

  /** `type` is the phase, as metrics name it. */
  constructor(authorize: Authorizer, metrics: ServerMetrics, type: 'admit' | 'validating') {
    this.#authorize = authorize
    this.#metrics = metrics
    this.#type = type
  }

  /**
   * Whether all conditions hold. Fails with `Failure` where one cannot be evaluated, none is false, and the webhook's
   * failure policy is `Fail`.
   */
  match(invocation: Invocation, request: AdmissionRequest): boolean | Promise<boolean> {
    const { webhook } = invocation
    if (webhook.matchConditions.length === 0) return true
    const values = new RequestValues(request, invocation, new KnownDecisions(this.#authorize))
    const variable = (name: string) => (name === 'namespaceObject' ? null : values.of(name))
    return whenKnown(() => this.#matches(webhook, request, variable))
  }

  #matches(
    webhook: Webhook,
    request: AdmissionRequest,
    variable: (name: string) => Value | undefined,
  ): boolean {
    let errors = 0
    const begin = this.#metrics.seconds()
    const evaluation = new Evaluation(variable, new Map(), CONDITIONS_BUDGET)
    const met = this.#evaluate(webhook, evaluation, () => errors++)
    if (met === true) return true
    const excludes = met === false || webhook.failurePolicy === 'Ignore'
    this.#metrics.admission.conditions(
      { kind: 'webhook', name: webhook.name, operation: request.operation, type: this.#type },
      { seconds: this.#metrics.seconds() - begin, errors, excludes },
    )
    if (excludes) return false
    const { group, plural } = request.resource
    throw new Failure(failure.forbidden({ group, plural }, request.name, joinProblems(met)))
  }

  #evaluate(webhook: Webhook, evaluation: Evaluation, failed: () => void): boolean | readonly string[] {
    try {
      return meetsConditions(this.#expressions(webhook), evaluation, failed)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      return [error.message]
    }
  }

  #expressions(webhook: Webhook): readonly (CompiledExpression | ExpressionProblem)[] {
    let expressions = this.#compiled.get(webhook)
    if (!expressions) {
      expressions = webhook.matchConditions.map(({ expression }) =>
        compileCondition(this.#compiler, expression, { params: false, authorizer: true }),
      )
      this.#compiled.set(webhook, expressions)
    }
    return expressions
  }
}
