import { CelError } from './cel-error.ts'
import type { Checked } from './check/checker.ts'
import type { ExpressionScope } from './check/scope.ts'
import { estimateCost } from './cost/cost-estimate.ts'
import { CostLimitExceeded, Meter } from './cost/meter.ts'
import { ConstantError } from './evaluate/part.ts'
import type { Program } from './evaluate/program.ts'
import { fromCel, toCel } from './javascript-value.ts'
import { Language } from './language.ts'
import { sizeAt, structFields, type DeclaredType } from './schema/declared-type.ts'
import { SchemaVariable } from './schema/schema-variable.ts'
import type { ValueSchema } from './schema/value-schema.ts'
import type { Type } from './types/type.ts'
import type { Value } from './values/value.ts'

/** The most that one evaluation of a rule may cost in a Kubernetes API server. */
const RULE_COST_LIMIT = 1_000_000

/** The variables that expressions may use, each with its type or with the schema of its values. */
export type VariableTypes = Readonly<Record<string, Type | SchemaVariable>>

export interface EnvironmentOptions {
  /** Default: Kubernetes' own libraries. */
  readonly language?: Language | undefined
}

/** Compiles expressions over the same variables. */
export class Environment {
  readonly #language: Language
  readonly #types: ReadonlyMap<string, Type | SchemaVariable>
  readonly #declared = new Map<string, DeclaredType>()
  readonly #scope: ExpressionScope

  /** @throws {CelError} `CEL_COMPILE` where expressions cannot see the values of a variable's schema. */
  constructor(variables: VariableTypes, options: EnvironmentOptions = {}) {
    this.#language = options.language ?? new Language()
    this.#types = new Map(Object.entries(variables))
    const bySchema = new Map<ValueSchema, DeclaredType>()
    const types = new Map<string, Type>()
    for (const [name, variable] of this.#types) {
      if (!(variable instanceof SchemaVariable)) {
        types.set(name, variable)
        continue
      }
      const declared = bySchema.get(variable.schema) ?? variable.declare(`${name}Type`)
      if (!declared)
        throw new CelError('CEL_COMPILE', `${name}: expressions cannot see values without a type`)
      bySchema.set(variable.schema, declared)
      this.#declared.set(name, declared)
      types.set(name, variable.typeOf(declared))
    }
    this.#scope = { variables: types, field: structFields(bySchema.values()) }
  }

  /**
   * Checks an expression and makes it ready to be evaluated.
   *
   * @throws {CelError} `CEL_COMPILE`, with the line, a mark below the place and Kubernetes' words.
   */
  compile(source: string): Expression {
    const checked = this.#language.check(source, this.#scope)
    if (checked instanceof Error) throw new CelError('CEL_COMPILE', checked.message)
    try {
      return new Expression(checked, this.#language.compile(checked), this.#types, this.#declared)
    } catch (error) {
      if (!(error instanceof ConstantError)) throw error
      throw new CelError('CEL_COMPILE', error.message)
    }
  }
}

/** The result of an evaluation, and its cost in Kubernetes' units. */
export interface Evaluation {
  /** Lists are arrays, maps are Maps, integers are bigints. */
  readonly value: unknown
  readonly cost: number
}

/** An expression that can be evaluated as often as wanted. */
export class Expression {
  /** The type of its result. */
  readonly type: Type
  readonly #checked: Checked
  readonly #program: Program
  readonly #types: ReadonlyMap<string, Type | SchemaVariable>
  readonly #declared: ReadonlyMap<string, DeclaredType>

  /** For {@link Environment.compile}, which makes expressions. */
  constructor(
    checked: Checked,
    program: Program,
    types: ReadonlyMap<string, Type | SchemaVariable>,
    declared: ReadonlyMap<string, DeclaredType>,
  ) {
    this.type = checked.type
    this.#checked = checked
    this.#program = program
    this.#types = types
    this.#declared = declared
  }

  /** Whether the expression uses a variable. */
  uses(variable: string): boolean {
    return this.#checked.names.has(variable)
  }

  /**
   * The most that an evaluation may cost. The sizes of values come from the bounds of schemas. For a variable without a
   * schema, `sizes` gives the most elements or characters of the variable, and of its items, keys or values: `{ names:
   * 10, 'names.@items': 63 }`. Without such bounds the result may be 2^64.
   */
  maxCost(sizes: Readonly<Record<string, number>> = {}): number {
    const given = new Map(Object.entries(sizes))
    return estimateCost(this.#checked, (path) => {
      const declared = this.#declared.get(path[0] ?? '')
      const max = declared ? sizeAt(declared, path) : given.get(path.join('.'))
      return max === undefined ? undefined : { min: 0, max }
    }).max
  }

  /**
   * Evaluates the expression. Evaluation ends when it has cost more than `costLimit`, by default what one rule may cost in a
   * Kubernetes API server: 1,000,000.
   *
   * @throws {CelError} `CEL_EVALUATION`, `CEL_COST_LIMIT`, or `CEL_VALUE` for a variable of another type.
   */
  evaluate(
    values: Readonly<Record<string, unknown>> = {},
    { costLimit = RULE_COST_LIMIT }: { readonly costLimit?: number | undefined } = {},
  ): Evaluation {
    const meter = new Meter(costLimit)
    const known = new Map<string, Value | undefined>()
    const variable = (name: string): Value | undefined => {
      if (!known.has(name)) known.set(name, this.#value(name, values))
      return known.get(name)
    }
    try {
      return { value: fromCel(this.#program.evaluate(variable, meter)), cost: meter.cost }
    } catch (error) {
      if (!(error instanceof CostLimitExceeded)) throw error
      throw new CelError('CEL_COST_LIMIT', error.message)
    }
  }

  #value(name: string, values: Readonly<Record<string, unknown>>): Value | undefined {
    const type = this.#types.get(name)
    if (!type) return undefined
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (type instanceof SchemaVariable) {
      return value === undefined && !type.isOptional ? undefined : type.valueOf(value)
    }
    return value === undefined && type.name !== 'optional_type' ? undefined : toCel(value, type, name)
  }
}
