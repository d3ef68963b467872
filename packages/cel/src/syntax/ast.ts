import type { Value } from '../values/value.ts'

/** Where a node stands: an offset in characters of the source, and the node's number. */
interface Node {
  readonly id: number
  readonly at: number
}

export interface Literal extends Node {
  readonly kind: 'literal'
  readonly value: Value
}

export interface Ident extends Node {
  readonly kind: 'ident'
  readonly name: string
}

export interface Select extends Node {
  readonly kind: 'select'
  readonly operand: Expr
  readonly field: string
  /** Whether it only asks for the field's presence, as `has()` does. */
  readonly test: boolean
}

export interface Call extends Node {
  readonly kind: 'call'
  readonly name: string
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
}

export interface ListLiteral extends Node {
  readonly kind: 'list'
  readonly elements: readonly Expr[]
  /** The places of elements that are left out where they have no value. */
  readonly optional: ReadonlySet<number>
}

export interface MapEntry extends Node {
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}

export interface MapLiteral extends Node {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
}

export interface StructField extends Node {
  readonly name: string
  readonly value: Expr
  readonly optional: boolean
}

export interface StructLiteral extends Node {
  readonly kind: 'struct'
  readonly name: string
  readonly fields: readonly StructField[]
}

/** A loop with an accumulator. All macros over lists and maps become such loops. */
export interface Comprehension extends Node {
  readonly kind: 'comprehension'
  readonly range: Expr
  readonly variable: string
  /** The second variable, of the forms that see keys and values at once. */
  readonly variable2: string | undefined
  readonly accumulator: string
  readonly init: Expr
  readonly condition: Expr
  readonly step: Expr
  readonly result: Expr
}

/** A node of a parsed expression. */
export type Expr = Literal | Ident | Select | Call | ListLiteral | MapLiteral | StructLiteral | Comprehension

/** The name of the accumulator of the macros. */
export const ACCUMULATOR = '@result'

/** The dotted name that an expression may be, such as `optional.of`. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.test) return undefined
  const prefix = qualifiedName(expr.operand)
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`
}

/** Whether a loop only binds a name to a value, and has no iterations. */
export function isBinding(expr: Comprehension): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'literal' &&
    expr.condition.value === false
  )
}
