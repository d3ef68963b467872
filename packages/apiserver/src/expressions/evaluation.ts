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
    const { value, cost } = this.#run(expression.program)
    this.#spend(this.#variableCost)
    this.#variableCost = 0
    this.#spend(cost)
    if (!(value instanceof EvaluationError)) return { value }
    return { problem: `expression '${expression.source}' resulted in error: ${value.message}` }
  }

  #spend(cost: number): void {
    if (cost > this.#budget) throw new OutOfBudget()
    this.#budget -= cost
  }

  #run(program: Program): { readonly value: Value; readonly cost: number } {
    const meter = new Meter(EXPRESSION_LIMIT)
    try {
      return { value: program.evaluate(this.#values, meter), cost: meter.cost }
    } catch (error) {
      if (!(error instanceof CostLimitExceeded)) throw error
      return { value: new EvaluationError(error.message), cost: meter.cost }
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
    const { value, cost } = this.#run(expression.program)
    this.#variableCost += cost
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
