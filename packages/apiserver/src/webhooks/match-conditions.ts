import { failure } from '@homeostat/api'
import {
  ConstantError,
  CostLimitExceeded,
  DYN,
  EvaluationError,
  Language,
  Meter,
  type Program,
  type Value,
} from '@homeostat/cel'
import type { AdmissionRequest } from '../admission/index.ts'
import { Failure } from '../registry/failure.ts'
import { jsonInCel } from './json-in-cel.ts'
import { reviewOf, reviewRequest, type Invocation } from './review.ts'
import type { MatchCondition, Webhook } from './webhook.ts'

/** What all conditions of a webhook may cost together for one request. */
const BUDGET = 2_500_000

const SCOPE = {
  variables: new Map([
    ['object', DYN],
    ['oldObject', DYN],
    ['request', DYN],
  ]),
  field: () => undefined,
}

/** Evaluates the match conditions of webhooks. Each webhook's are compiled once. */
export class MatchConditions {
  readonly #language = new Language()
  readonly #compiled = new WeakMap<Webhook, readonly (Program | Error)[]>()

  /**
   * Whether all conditions hold. Fails with `Failure` where one cannot be evaluated, none is false, and the webhook's
   * failure policy is `Fail`.
   */
  match(invocation: Invocation, request: AdmissionRequest): boolean {
    const { webhook, object, oldObject } = invocation
    const variables = new Map<string, Value>([
      ['object', jsonInCel(object)],
      ['oldObject', jsonInCel(oldObject)],
      ['request', jsonInCel(reviewRequest(reviewOf(request, invocation, 'v1', '')))],
    ])
    const meter = new Meter(BUDGET)
    const problems: string[] = []
    for (const [index, program] of this.#programs(webhook).entries()) {
      const value =
        program instanceof Error ? program : evaluate(program, (name) => variables.get(name), meter)
      if (value === false) return false
      const { expression } = webhook.matchConditions[index] ?? { expression: '' }
      if (value instanceof Error)
        problems.push(`expression '${expression}' resulted in error: ${value.message}`)
    }
    if (problems.length === 0) return true
    if (webhook.failurePolicy === 'Ignore') return false
    const { group, plural } = request.resource
    throw new Failure(failure.forbidden({ group, plural }, request.name, joined(problems)))
  }

  #programs(webhook: Webhook): readonly (Program | Error)[] {
    let programs = this.#compiled.get(webhook)
    if (!programs) {
      programs = webhook.matchConditions.map((condition) => this.#compile(condition))
      this.#compiled.set(webhook, programs)
    }
    return programs
  }

  #compile({ expression }: MatchCondition): Program | Error {
    const checked = this.#language.check(expression, SCOPE)
    if (checked instanceof Error)
      return new Error(`compilation error: compilation failed: ${checked.message}`)
    try {
      return this.#language.compile(checked)
    } catch (error) {
      if (error instanceof ConstantError) return error
      throw error
    }
  }
}

function evaluate(
  program: Program,
  variables: (name: string) => Value | undefined,
  meter: Meter,
): boolean | Error {
  try {
    const value = program.evaluate(variables, meter)
    if (value instanceof EvaluationError) return new Error(value.message)
    return value === true || value === false ? value : new Error('the condition is no boolean')
  } catch (error) {
    if (error instanceof CostLimitExceeded)
      return new Error(
        'validation failed due to running out of cost budget, no further validation rules will be run',
      )
    throw error
  }
}

/** Several problems, as Go joins them. */
function joined(problems: readonly string[]): string {
  const different = [...new Set(problems)]
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`
}
