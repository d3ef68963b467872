/**
 * The CEL expressions of webhooks and admission policies: their variables, result types and cost limits. This module
 * loads CEL, so that only modules that are loaded late import it.
 */
export { APPLIED_TYPE, MadeObject, MadePatch, PATCH_TYPE } from './made-objects.ts'
export {
  CONDITIONS_BUDGET,
  Evaluation,
  OutOfBudget,
  POLICY_BUDGET,
  type Evaluated,
  type SharedResults,
} from './evaluation.ts'
export type { ExpressionOptions } from './admission-types.ts'
export { authorizerLibrary } from './authorizer-in-cel.ts'
export { compileExpression, ExpressionProblem, type CompiledExpression } from './compile-expression.ts'
export { ExpressionCompiler } from './expression-compiler.ts'
export { JsonMap, jsonInCel } from './json-in-cel.ts'
export { compileCondition, joinProblems, meetsConditions } from './match-conditions.ts'
export { KnownDecisions, whenKnown } from './known-decisions.ts'
export { namespaceInCel, RequestValues } from './request-values.ts'
