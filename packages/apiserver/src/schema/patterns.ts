import { RE2JS } from 're2js'

const compiled = new Map<string, { matches(text: string): boolean } | Error>()
const KEPT = 1_000

/**
 * Patterns are RE2's, as everywhere in Kubernetes: they take time in proportion to the text, so that no
 * pattern of a CRD can hang the server.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = compile(pattern)
  return !(expression instanceof Error) && expression.matches(text)
}

/** Why a pattern cannot be used, or `undefined` where it can. */
export function patternProblem(pattern: string): string | undefined {
  const expression = compile(pattern)
  return expression instanceof Error ? expression.message : undefined
}

function compile(pattern: string): { matches(text: string): boolean } | Error {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= KEPT) compiled.clear()
  let result: { matches(text: string): boolean } | Error
  try {
    const expression = RE2JS.compile(pattern)
    result = { matches: (text) => expression.matcher(text).find() }
  } catch (error) {
    result = error instanceof Error ? error : new Error(String(error))
  }
  compiled.set(pattern, result)
  return result
}
