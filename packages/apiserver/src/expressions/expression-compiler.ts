import { DYN, type ExpressionScope, type Type } from '@homeostat/cel'
import { admissionScope, type ExpressionOptions, type ObjectTypes } from './admission-types.ts'
import {
  checkExpression,
  compileExpression,
  ExpressionProblem,
  type CompiledExpression,
} from './compile-expression.ts'

/**
 * Compiles the expressions of one policy or webhook. Those of a policy can read the variables that were declared
 * before; a webhook has none.
 */
export class ExpressionCompiler {
  readonly variables = new Map<string, CompiledExpression | ExpressionProblem>()
  readonly #variableTypes: Map<string, Type> | undefined

  readonly #types: ObjectTypes | undefined

  /** `types` are the types of the objects in expressions. Default: any. */
  constructor({ hasVariables, types }: { readonly hasVariables: boolean; readonly types?: ObjectTypes }) {
    this.#variableTypes = hasVariables ? new Map() : undefined
    this.#types = types
  }

  /** Declares a variable of any type, also one that does not compile. */
  declare(name: string, source: string, options: ExpressionOptions): CompiledExpression | ExpressionProblem {
    const compiled = this.compile(source, undefined, options)
    this.#variableTypes?.set(name, compiled instanceof ExpressionProblem ? DYN : variableType(compiled.type))
    this.variables.set(name, compiled)
    return compiled
  }

  /** Declares the type of a variable whose value is not needed. */
  declareType(name: string, source: string, options: ExpressionOptions): void {
    const type = checkExpression(source, this.#scope(options))
    this.#variableTypes?.set(name, type instanceof Error ? DYN : variableType(type))
  }

  /** The type error of an expression, or `undefined`. */
  typeProblem(source: string, options: ExpressionOptions): string | undefined {
    const type = checkExpression(source, this.#scope(options))
    return type instanceof Error ? type.message : undefined
  }

  /** Compiles an expression whose value has one of the given types; any where none are given. */
  compile(
    source: string,
    results: readonly Type[] | undefined,
    options: ExpressionOptions,
  ): CompiledExpression | ExpressionProblem {
    return compileExpression(source, this.#scope(options), results)
  }

  #scope(options: ExpressionOptions): ExpressionScope {
    return admissionScope(options, this.#variableTypes, this.#types)
  }
}

const PLAIN: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
])

/** A variable whose type has no known structure is `dyn`. */
function variableType(type: Type): Type {
  if (PLAIN.has(type.kind)) return type
  if (type.kind === 'list' || type.kind === 'map') return { ...type, params: type.params.map(variableType) }
  return DYN
}
