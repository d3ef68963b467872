import type { Value } from '@homeostat/cel'
import type { AdmissionRequest } from '../admission/index.ts'
import {
  CONDITIONS_BUDGET,
  compileCondition,
  Evaluation,
  ExpressionCompiler,
  joinProblems,
  jsonInCel,
  meetsConditions,
  namespaceInCel,
  OutOfBudget,
  RequestValues,
  type CompiledExpression,
  type ExpressionOptions,
  type ExpressionProblem,
  type KnownDecisions,
  type SharedResults,
} from '../expressions/index.ts'
import type { VersionedRequest } from '../matching/index.ts'
import type { PolicyError, ServerMetrics } from '../metrics/index.ts'
import type { ServerObject } from '../registry/index.ts'
import type { Policy } from './policy.ts'

const NO_VARIABLES: ReadonlyMap<string, CompiledExpression | ExpressionProblem> = new Map()

/** The expressions that policies of both kinds have. */
export interface PolicyExpressions {
  readonly compiler: ExpressionCompiler
  readonly options: ExpressionOptions
  readonly conditions: readonly (CompiledExpression | ExpressionProblem)[]
}

/** Compiles the variables and match conditions of a policy. The conditions cannot read the variables. */
export function compilePolicy(policy: Policy): PolicyExpressions {
  const options = { params: policy.paramKind !== undefined, authorizer: true }
  const compiler = new ExpressionCompiler({ hasVariables: true })
  for (const { name, expression } of policy.variables) compiler.declare(name, expression, options)
  const withoutVariables = new ExpressionCompiler({ hasVariables: false })
  const conditions = policy.matchConditions.map(({ expression }) =>
    compileCondition(withoutVariables, expression, options),
  )
  return { compiler, options, conditions }
}

/** The values of one request for the expressions of all policies, in one version of its resource. */
export class PolicyInput {
  readonly #values: RequestValues
  /** Match conditions see the resource that the request names. */
  readonly #conditionValues: RequestValues
  readonly #namespace: Value
  readonly #operation: string
  /** Shared by all policies without parameters. Most policies have none. */
  #withoutParams: PolicyInvocation | undefined

  constructor(
    request: AdmissionRequest,
    versioned: VersionedRequest,
    decisions: KnownDecisions,
    namespace: ServerObject | undefined,
  ) {
    this.#operation = request.operation
    this.#values = new RequestValues(request, versioned, decisions)
    this.#conditionValues =
      versioned.resource === request.resource
        ? this.#values
        : new RequestValues(request, versioned, decisions, request.resource)
    this.#namespace = namespaceInCel(namespace)
  }

  /** The values for the expressions of one policy, with one of its parameters. */
  with(params: ServerObject | undefined): PolicyInvocation {
    if (params === undefined) return (this.#withoutParams ??= this.#invocation(null))
    return this.#invocation(jsonInCel(params))
  }

  #invocation(params: Value): PolicyInvocation {
    const variable =
      (values: RequestValues, namespace: Value) =>
      (name: string): Value | undefined => {
        if (name === 'params') return params
        return name === 'namespaceObject' ? namespace : values.of(name)
      }
    return {
      operation: this.#operation,
      values: variable(this.#values, this.#namespace),
      conditionValues: variable(this.#conditionValues, null),
      conditionResults: new Map(),
    }
  }
}

/** The values of the variables in a policy's expressions. */
export interface PolicyInvocation {
  readonly operation: string
  readonly values: (name: string) => Value | undefined
  readonly conditionValues: (name: string) => Value | undefined
  /** Many policies have the same match conditions. */
  readonly conditionResults: SharedResults
}

/**
 * Whether the match conditions of a policy hold. Where they cannot be evaluated and its failure policy is `Fail`,
 * returns the reason.
 */
export function meetsPolicyConditions(
  { name, failurePolicy }: Policy,
  { conditions }: PolicyExpressions,
  { conditionValues, conditionResults, operation }: PolicyInvocation,
  metrics: ServerMetrics,
): boolean | { readonly problem: string } {
  if (conditions.length === 0) return true
  let errors = 0
  const begin = metrics.seconds()
  const evaluation = new Evaluation(conditionValues, NO_VARIABLES, CONDITIONS_BUDGET)
  const met = withinBudget(() => meetsConditions(conditions, evaluation, () => errors++, conditionResults))
  if (met === true) return true
  const seconds = metrics.seconds() - begin
  // Kubernetes names this phase for both kinds of policies.
  const owner = { kind: 'policy', name, operation, type: 'validate' } as const
  metrics.admission.conditions(owner, { seconds, errors, excludes: met === false })
  return met !== false && failurePolicy === 'Fail' && { problem: joinProblems(met) }
}

function withinBudget(evaluate: () => boolean | readonly string[]): boolean | readonly string[] {
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
    return [error.message]
  }
}

/** How metrics name the failure of an expression, by its message. */
export function policyError(message: string): PolicyError {
  if (message.startsWith('compilation')) return 'compile_error'
  return message.startsWith('validation failed due to running out of cost budget')
    ? 'out_of_budget'
    : 'invalid_error'
}
