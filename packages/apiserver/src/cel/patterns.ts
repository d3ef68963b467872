import { RE2JS } from 're2js'

const KEPT = 1_000
const compiled = new Map<string, RE2JS | Error>()

/**
 * A pattern ready to be matched, or why it is none. Patterns are RE2's: matching takes time in proportion to
 * the text, so that no rule can hang the server.
 */
export function compilePattern(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= KEPT) compiled.clear()
  let result: RE2JS | Error
  try {
    result = RE2JS.compile(pattern)
  } catch (error) {
    result = error instanceof Error ? error : new Error(String(error))
  }
  compiled.set(pattern, result)
  return result
}
