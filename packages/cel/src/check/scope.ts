import type { Type } from '../types/type.ts'
import type { Value } from '../values/value.ts'

/** A type whose objects expressions may construct, as in `Object{name: 'a'}`. */
export interface ObjectMaker {
  readonly type: Type
  make(fields: ReadonlyMap<string, Value>): Value
}

/** The variables and types that an expression may use besides those of the language. */
export interface ExpressionScope {
  readonly variables: ReadonlyMap<string, Type>
  /** The type of an object's field, or `undefined` where it has none of this name. */
  field(struct: string, field: string): Type | undefined
  /** The constructor of a type's objects. Default: expressions construct no objects. */
  maker?(struct: string): ObjectMaker | undefined
}
