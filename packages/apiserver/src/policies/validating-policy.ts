import { NULL, STRING, BOOL, type Value } from '@homeostat/cel'
import {
  Evaluation,
  OutOfBudget,
  POLICY_BUDGET,
  type CompiledExpression,
  type ExpressionProblem,
} from '../expressions/index.ts'
import { listOf, objectOf, textOf } from '../schema/index.ts'
import {
  compilePolicy,
  meetsPolicyConditions,
  type PolicyExpressions,
  type PolicyInvocation,
} from './policy-evaluation.ts'
import type { Policy } from './policy.ts'

/** The longest message of an expression, in bytes. */
const LONGEST_MESSAGE = 5 * 1024

/** Why a policy denies a request. */
export interface Denial {
  readonly message: string
  /** The reason in the answer. Empty where an expression could not be evaluated. */
  readonly reason: string
}

/** The result of a policy for a request. */
export interface Verdict {
  /** The denials to which the actions of the binding apply. */
  readonly denials: readonly Denial[]
  /** Audit annotations that cannot be made. They deny the request whatever the actions are. */
  readonly annotationProblems: readonly string[]
}

const ADMITTED: Verdict = { denials: [], annotationProblems: [] }

interface Validation {
  readonly source: string
  readonly expression: CompiledExpression | ExpressionProblem
  readonly message: string
  readonly messageExpression: CompiledExpression | ExpressionProblem | undefined
  readonly reason: string
}

/** A ValidatingAdmissionPolicy whose expressions are compiled. */
export class ValidatingPolicy {
  readonly #policy: Policy
  readonly #expressions: PolicyExpressions
  readonly #validations: readonly Validation[]
  readonly #annotations: readonly (CompiledExpression | ExpressionProblem)[]

  constructor(policy: Policy) {
    this.#policy = policy
    this.#expressions = compilePolicy(policy)
    const { compiler, options } = this.#expressions
    this.#validations = listOf(policy.spec['validations']).map((value) => {
      const { expression, message, messageExpression, reason } = objectOf(value)
      const source = textOf(expression ?? '')
      return {
        source,
        expression: compiler.compile(source, [BOOL], options),
        message: textOf(message ?? '').trim(),
        messageExpression: messageExpression
          ? compiler.compile(textOf(messageExpression), [STRING], { ...options, authorizer: false })
          : undefined,
        reason: textOf(reason ?? '') || 'Invalid',
      }
    })
    this.#annotations = listOf(policy.spec['auditAnnotations']).map((value) =>
      compiler.compile(textOf(objectOf(value)['valueExpression'] ?? ''), [STRING, NULL], options),
    )
  }

  evaluate(invocation: PolicyInvocation): Verdict {
    const met = meetsPolicyConditions(this.#policy, this.#expressions, invocation)
    if (met === false) return ADMITTED
    if (met !== true) return this.#failed(met.problem)
    try {
      return { denials: this.#denials(invocation), annotationProblems: this.#annotate(invocation) }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      return this.#failed(error.message)
    }
  }

  /** The result where expressions cannot be evaluated. */
  #failed(message: string): Verdict {
    return { denials: this.#problem(message), annotationProblems: [] }
  }

  #problem(message: string): Denial[] {
    return this.#policy.failurePolicy === 'Fail' ? [{ message, reason: '' }] : []
  }

  #denials({ values }: PolicyInvocation): Denial[] {
    const { variables } = this.#expressions.compiler
    const evaluation = new Evaluation(values, variables, POLICY_BUDGET)
    const results = this.#validations.map((validation) => ({
      validation,
      result: evaluation.evaluate(validation.expression),
    }))
    const against = results.filter(({ result }) => !('value' in result) || result.value !== true)
    if (against.length === 0) return []
    const messages = new Evaluation(values, variables, evaluation.budget)
    return against.flatMap(({ validation, result }) => {
      if ('problem' in result) return this.#problem(result.problem)
      try {
        return [{ message: messageOf(validation, messages), reason: validation.reason }]
      } catch (error) {
        if (!(error instanceof OutOfBudget)) throw error
        return this.#problem(`failed messageExpression: ${error.message}`)
      }
    })
  }

  #annotate({ values }: PolicyInvocation): string[] {
    if (this.#annotations.length === 0) return []
    const evaluation = new Evaluation(values, this.#expressions.compiler.variables, POLICY_BUDGET)
    const problems = this.#annotations.flatMap((annotation) => {
      const result = evaluation.evaluate(annotation)
      return 'problem' in result ? result.problem : []
    })
    return this.#policy.failurePolicy === 'Fail' ? problems : []
  }
}

/**
 * The message of a failed validation: the value of its `messageExpression`, its `message`, or the expression itself.
 */
function messageOf({ messageExpression, message, source }: Validation, messages: Evaluation): string {
  const result = messageExpression && messages.evaluate(messageExpression)
  return (
    (result && 'value' in result ? usableMessage(result.value) : '') ||
    message ||
    `failed expression: ${source.trim()}`
  )
}

function usableMessage(value: Value): string {
  const text = typeof value === 'string' ? value.trim() : ''
  const isTooLong = new TextEncoder().encode(text).length > LONGEST_MESSAGE
  return isTooLong || text.includes('\n') ? '' : text
}
