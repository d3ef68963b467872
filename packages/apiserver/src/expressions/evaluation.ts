import { CostLimitExceeded, EvaluationError, MapValue, Meter, type Program, type Value } from '@homeostat/cel'
import { ExpressionProblem, type CompiledExpression } from './compile-expression.ts'

/** The cost limit of one expression. */
const EXPRESSION_LIMIT = 1_000_000
/** The cost limit of all match conditions of a webhook or policy for one request. */
export const CONDITIONS_BUDGET = 2_500_000
/** The cost limit of all expressions of a policy's validations, or of one of its mutations, for one request. */
export const POLICY_BUDGET = 10_000_000

/** The expressions of one policy or webhook have exceeded their cost limit for one request. */
export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run')
  }
}

/** The value of an expression, or why it has none. */
export type Evaluated = { readonly value: Value } | { readonly problem: string }

const HOLDS: Evaluated = { value: true }
const FAILS: Evaluated = { value: false }

/** The results of expressions for one request, by their sources. */
export type SharedResults = Map<string, { readonly result: Evaluated; readonly cost: number }>

/** Evaluates expressions for one request, one after the other, within one budget. */
export class Evaluation {
  readonly #values: (name: string) => Value | undefined
  readonly #declared: ReadonlyMap<string, CompiledExpression | ExpressionProblem>
  /** Made for the first expression that reads a variable. */
  #known: PolicyVariables | undefined
  #budget: number
  /** The cost of the variables that the current expression has read. */
  #variableCost = 0

  constructor(
    values: (name: string) => Value | undefined,
    variables: ReadonlyMap<string, CompiledExpression | ExpressionProblem>,
    budget: number,
  ) {
    this.#declared = variables
    this.#values =
      variables.size > 0 ? (name) => (name === 'variables' ? this.#variables : values(name)) : values
    this.#budget = budget
  }

  get budget(): number {
    return this.#budget
  }

  /** Throws `OutOfBudget` where the budget does not suffice. */
  evaluate(expression: CompiledExpression | ExpressionProblem): Evaluated {
    if (expression instanceof ExpressionProblem)
      return { problem: `compilation error: ${expression.message}` }
    const meter = new Meter(EXPRESSION_LIMIT)
    const value = this.#run(expression.program, meter)
    if (this.#variableCost > 0) {
      this.#spend(this.#variableCost)
      this.#variableCost = 0
    }
    this.#spend(meter.cost)
    // Most expressions are conditions: those of all policies share two results.
    if (typeof value === 'boolean') return value ? HOLDS : FAILS
    if (!(value instanceof EvaluationError)) return { value }
    return { problem: `expression '${expression.source}' resulted in error: ${value.message}` }
  }

  /**
   * As `evaluate`, for an expression that several policies have: only the first of them evaluates it, and the others pay the
   * same cost. It must not read the variables of a policy.
   */
  evaluateOnce(expression: CompiledExpression, shared: SharedResults): Evaluated {
    const known = shared.get(expression.source)
    if (known) {
      this.#spend(known.cost)
      return known.result
    }
    const before = this.#budget
    const result = this.evaluate(expression)
    shared.set(expression.source, { result, cost: before - this.#budget })
    return result
  }

  #spend(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudget()
    this.#budget -= cost
  }

  #run(program: Program, meter: Meter): Value {
    try {
      return program.evaluate(this.#values, meter)
    } catch (error) {
      if (!(error instanceof CostLimitExceeded)) throw error
      return new EvaluationError(error.message)
    }
  }

  get #variables(): PolicyVariables {
    return (this.#known ??= new PolicyVariables(this.#declared, (name, expression) =>
      this.#variable(name, expression),
    ))
  }

  #variable(name: string, expression: CompiledExpression | ExpressionProblem): Value {
    const failed = `composited variable ${JSON.stringify(name)} fails to`
    if (expression instanceof ExpressionProblem) {
      return new EvaluationError(`${failed} compile: ${expression.message}`)
    }
    const meter = new Meter(EXPRESSION_LIMIT)
    const value = this.#run(expression.program, meter)
    this.#variableCost += meter.cost
    if (!(value instanceof EvaluationError)) return value
    return new EvaluationError(`${failed} evaluate: ${value.message}`)
  }
}

/** The variables of a policy. Each is evaluated once, when an expression first reads it. */
class PolicyVariables extends MapValue {
  readonly #variables: ReadonlyMap<string, CompiledExpression | ExpressionProblem>
  readonly #evaluate: (name: string, expression: CompiledExpression | ExpressionProblem) => Value
  readonly #known = new Map<string, Value>()

  constructor(
    variables: ReadonlyMap<string, CompiledExpression | ExpressionProblem>,
    evaluate: (name: string, expression: CompiledExpression | ExpressionProblem) => Value,
  ) {
    super()
    this.#variables = variables
    this.#evaluate = evaluate
  }

  override get size(): number {
    return this.#variables.size
  }

  override get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const expression = this.#variables.get(key)
    if (!expression) return undefined
    const value = this.#evaluate(key, expression)
    this.#known.set(key, value)
    return value
  }

  override keys(): Iterable<Value> {
    return this.#variables.keys()
  }
}
