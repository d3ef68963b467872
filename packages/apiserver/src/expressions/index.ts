/**
 * The expressions in CEL by which webhooks and admission policies look at requests. It loads CEL, so that only late parts of
 * the server import it.
 */
export { authorizerInCel, requestResourceInCel } from './authorizer-in-cel.ts'
export { ExpressionProblem, type CompiledExpression } from './compile-expression.ts'
export { jsonInCel } from './json-in-cel.ts'
export { compileMatchCondition } from './match-condition.ts'
