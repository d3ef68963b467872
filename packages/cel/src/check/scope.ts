import type { Type } from '../types/type.ts'

/** What an expression may refer to besides the language. */
export interface ExpressionScope {
  readonly variables: ReadonlyMap<string, Type>
  /** The type of an object's field, or `undefined` where it has none of this name. */
  field(struct: string, field: string): Type | undefined
}
