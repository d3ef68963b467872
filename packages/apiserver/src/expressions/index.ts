/**
 * The expressions in CEL by which webhooks and admission policies look at requests: what they may refer to, what they give, and
 * what they may cost. It loads CEL, so that only late parts of the server import it.
 */
export { APPLIED_TYPE, MadeObject, MadePatch, PATCH_TYPE } from './made-objects.ts'
export { CONDITIONS_BUDGET, Evaluation, OutOfBudget, POLICY_BUDGET } from './evaluation.ts'
export type { ExpressionOptions } from './admission-types.ts'
export { ExpressionProblem, type CompiledExpression } from './compile-expression.ts'
export { ExpressionCompiler } from './expression-compiler.ts'
export { jsonInCel } from './json-in-cel.ts'
export { compileCondition, joinProblems, meetsConditions } from './match-conditions.ts'
export { namespaceInCel, RequestValues } from './request-values.ts'
