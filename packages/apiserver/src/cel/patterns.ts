import { RE2JS } from 're2js'
import { OverBudget, spend } from '../work/index.ts'

const KEPT = 1_000
/** How many steps of work an instruction of a pattern takes to compile, and to match with a character. */
const COMPILED = 15
const MATCHED = 1 / 20
const compiled = new Map<string, RE2JS | Error>()

/**
 * A pattern ready to be matched, or why it is none. Patterns are RE2's: matching takes time in proportion to
 * the text, so that no rule can hang the server.
 */
export function compilePattern(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= KEPT) compiled.clear()
  spend(pattern.length)
  let result: RE2JS | Error
  try {
    result = RE2JS.compile(pattern)
    spend(result.programSize() * COMPILED)
  } catch (error) {
    if (error instanceof OverBudget) throw error
    result = error instanceof Error ? error : new Error(String(error))
  }
  compiled.set(pattern, result)
  return result
}

/** Counts the work of looking for a pattern in a text. */
export function spendOnMatch(expression: RE2JS, text: string): void {
  spend(text.length * expression.programSize() * MATCHED)
}
