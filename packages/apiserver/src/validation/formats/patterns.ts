import { Patterns } from '@homeostat/cel'
import { spend } from '../../work/index.ts'

/** The patterns of schemas and of their rules. Compiling and matching count as work of the request. */
export const patterns = new Patterns(spend)

/**
 * Patterns are RE2's, as everywhere in Kubernetes: they take time in proportion to the text and to their own
 * size, so that no pattern of a CRD can hang the server.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = patterns.compile(pattern)
  if (expression instanceof Error) return false
  patterns.spendOnMatch(expression, text)
  return expression.test(text)
}

/** Why a pattern cannot be used, or `undefined` where it can. */
export function patternProblem(pattern: string): string | undefined {
  const expression = patterns.compile(pattern)
  return expression instanceof Error ? expression.message : undefined
}
