import { BOOL } from '@homeostat/cel'
import type { Evaluation, SharedResults } from './evaluation.ts'
import type { ExpressionOptions } from './admission-types.ts'
import { ExpressionProblem, type CompiledExpression } from './compile-expression.ts'
import type { ExpressionCompiler } from './expression-compiler.ts'

/** Compiles the condition of a webhook or of a policy. */
export function compileCondition(
  compiler: ExpressionCompiler,
  expression: string,
  options: ExpressionOptions,
): CompiledExpression | ExpressionProblem {
  return compiler.compile(expression, [BOOL], options)
}

/**
 * Whether all conditions hold. Where none is false and some cannot be evaluated, returns their problems. Throws
 * `OutOfBudget` where they cost too much. `failed` is called for each that cannot be evaluated, up to the first that is false.
 * `shared` holds the results for policies that have the same conditions.
 */
export function meetsConditions(
  conditions: readonly (CompiledExpression | ExpressionProblem)[],
  evaluation: Evaluation,
  failed: () => void,
  shared?: SharedResults,
): boolean | readonly string[] {
  let holds = true
  let problems: string[] | undefined
  for (const condition of conditions) {
    const result =
      shared && !(condition instanceof ExpressionProblem)
        ? evaluation.evaluateOnce(condition, shared)
        : evaluation.evaluate(condition)
    if ('problem' in result) {
      problems ??= []
      problems.push(result.problem)
      if (holds) failed()
    } else if (result.value === false) holds = false
  }
  return holds && (problems ?? true)
}

/** Several problems, as Go joins them. */
export function joinProblems(problems: readonly string[]): string {
  const different = [...new Set(problems)]
  return different.length === 1 ? (different[0] ?? '') : `[${different.join(', ')}]`
}
