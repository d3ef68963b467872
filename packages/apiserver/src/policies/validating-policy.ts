import { NULL, STRING, BOOL, type Value } from '@homeostat/cel'
import {
  Evaluation,
  OutOfBudget,
  POLICY_BUDGET,
  type CompiledExpression,
  type Evaluated,
  type ExpressionProblem,
} from '../expressions/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import { byteLength, listOf, objectOf, textOf } from '../schema/index.ts'
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
  /** Which of the policy's validations it is. */
  readonly index: number
  /** How long its expression took. */
  readonly seconds: number
}

/** An expression that could not be evaluated. */
export interface Problem {
  readonly message: string
  readonly seconds: number
}

/** The result of a policy for a request. */
export interface Verdict {
  /** The denials to which the actions of the binding apply. */
  readonly denials: readonly Denial[]
  /** Audit annotations that cannot be made. They deny the request whatever the actions are. */
  readonly annotationProblems: readonly Problem[]
  /** The expressions that could not be evaluated, where the failure policy ignores that. */
  readonly ignored: readonly Problem[]
  /** The annotations that the policy adds to the audit log. */
  readonly annotations: readonly { readonly key: string; readonly value: string }[]
}

/** The verdict of a policy that admits a request and adds no annotations. */
export const ADMITTED: Verdict = { denials: [], annotationProblems: [], annotations: [], ignored: [] }

interface Validation {
  /** Which of the policy's validations it is. */
  readonly index: number
  readonly source: string
  readonly expression: CompiledExpression | ExpressionProblem
  readonly message: string
  readonly messageExpression: CompiledExpression | ExpressionProblem | undefined
  readonly reason: string
}

/** A ValidatingAdmissionPolicy whose expressions are compiled. */
export class ValidatingPolicy {
  readonly #policy: Policy
  readonly #metrics: ServerMetrics
  readonly #expressions: PolicyExpressions
  readonly #validations: readonly Validation[]
  readonly #annotations: readonly {
    readonly key: string
    readonly value: CompiledExpression | ExpressionProblem
  }[]

  constructor(policy: Policy, metrics: ServerMetrics) {
    this.#policy = policy
    this.#metrics = metrics
    this.#expressions = compilePolicy(policy)
    const { compiler, options } = this.#expressions
    this.#validations = listOf(policy.spec['validations']).map((value, index) => {
      const { expression, message, messageExpression, reason } = objectOf(value)
      const source = textOf(expression ?? '')
      return {
        index,
        source,
        expression: compiler.compile(source, [BOOL], options),
        message: textOf(message ?? '').trim(),
        messageExpression: messageExpression
          ? compiler.compile(textOf(messageExpression), [STRING], { ...options, authorizer: false })
          : undefined,
        reason: textOf(reason ?? '') || 'Invalid',
      }
    })
    this.#annotations = listOf(policy.spec['auditAnnotations']).map((annotation) => {
      const { key, valueExpression } = objectOf(annotation)
      const value = compiler.compile(textOf(valueExpression ?? ''), [STRING, NULL], options)
      return { key: textOf(key ?? ''), value }
    })
  }

  evaluate(invocation: PolicyInvocation): Verdict {
    const met = meetsPolicyConditions(this.#policy, this.#expressions, invocation, this.#metrics)
    if (met === false) return ADMITTED
    if (met !== true) return this.#failed(met.problem)
    try {
      const failed = this.#failures(invocation)
      if (failed.length === 0 && this.#annotations.length === 0) return ADMITTED
      return { ...this.#byPolicy(failed), ...this.#annotate(invocation) }
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      return this.#failed(error.message)
    }
  }

  /** The result where expressions cannot be evaluated. */
  #failed(message: string): Verdict {
    const problem = { message, reason: '', index: 0, seconds: 0 }
    return { ...this.#byPolicy([problem]), annotationProblems: [], annotations: [] }
  }

  /** The failures in two parts: those that deny the request, and those that the failure policy ignores. */
  #byPolicy(failed: readonly Denial[]): Pick<Verdict, 'denials' | 'ignored'> {
    if (this.#policy.failurePolicy === 'Fail') return { denials: failed, ignored: [] }
    return {
      denials: failed.filter(({ reason }) => reason !== ''),
      ignored: failed.filter(({ reason }) => reason === ''),
    }
  }

  #failures({ values }: PolicyInvocation): readonly Denial[] {
    const { variables } = this.#expressions.compiler
    const evaluation = new Evaluation(values, variables, POLICY_BUDGET)
    let against: Failed[] | undefined
    for (const validation of this.#validations) {
      const begin = this.#metrics.seconds()
      const result = evaluation.evaluate(validation.expression)
      if ('value' in result && result.value === true) continue
      against ??= []
      against.push({ validation, result, seconds: this.#metrics.seconds() - begin })
    }
    if (!against) return ADMITTED.denials
    const messages = new Evaluation(values, variables, evaluation.budget)
    return against.map((failed) => denialOf(failed, messages))
  }

  #annotate({ values }: PolicyInvocation): Pick<Verdict, 'annotations' | 'annotationProblems'> {
    if (this.#annotations.length === 0) return { annotations: [], annotationProblems: [] }
    const evaluation = new Evaluation(values, this.#expressions.compiler.variables, POLICY_BUDGET)
    const results = this.#annotations.map(({ key, value }) => {
      const begin = this.#metrics.seconds()
      const result = evaluation.evaluate(value)
      return { key, result, seconds: this.#metrics.seconds() - begin }
    })
    const problems = results.flatMap(({ result, seconds }) =>
      'problem' in result ? { message: result.problem, seconds } : [],
    )
    return {
      annotations: results.flatMap(({ key, result }) => {
        const text = 'value' in result && typeof result.value === 'string' ? result.value.trim() : ''
        return text === '' ? [] : [{ key, value: text }]
      }),
      annotationProblems: this.#policy.failurePolicy === 'Fail' ? problems : [],
    }
  }
}

/** A validation that does not hold, or cannot be evaluated. */
interface Failed {
  readonly validation: Validation
  readonly result: Evaluated
  readonly seconds: number
}

/** Without a reason where an expression could not be evaluated. */
function denialOf({ validation, result, seconds }: Failed, messages: Evaluation): Denial {
  const { index } = validation
  if ('problem' in result) return { message: result.problem, reason: '', index, seconds }
  try {
    return { message: messageOf(validation, messages), reason: validation.reason, index, seconds }
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
    return { message: `failed messageExpression: ${error.message}`, reason: '', index, seconds }
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
  const isTooLong = byteLength(text) > LONGEST_MESSAGE
  return isTooLong || text.includes('\n') ? '' : text
}
