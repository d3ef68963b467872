import { compilePattern, spendOnMatch } from '../cel/index.ts'

/**
 * Patterns are RE2's, as everywhere in Kubernetes: they take time in proportion to the text and to their own
 * size, so that no pattern of a CRD can hang the server.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = compilePattern(pattern)
  if (expression instanceof Error) return false
  spendOnMatch(expression, text)
  return expression.test(text)
}

/** Why a pattern cannot be used, or `undefined` where it can. */
export function patternProblem(pattern: string): string | undefined {
  const expression = compilePattern(pattern)
  return expression instanceof Error ? expression.message : undefined
}
