import { BOOL } from '@homeostat/cel'
import { admissionScope } from './admission-types.ts'
import { compileExpression, type CompiledExpression, type ExpressionProblem } from './compile-expression.ts'

const scope = admissionScope()

/** Compiles a match condition of a webhook. */
export function compileMatchCondition(source: string): CompiledExpression | ExpressionProblem {
  return compileExpression(source, scope, [BOOL])
}
