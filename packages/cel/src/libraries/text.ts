import { overload, type Library } from './overload.ts'
import type { Patterns } from './patterns.ts'
import { fail, type Value } from '../values/value.ts'

/** The functions for texts of the language itself. */
export function text(patterns: Patterns): Library {
  const matches = (value: string, pattern: string): Value => {
    const expression = patterns.compile(pattern)
    if (expression instanceof Error) return fail(expression.message)
    patterns.spendOnMatch(expression, value)
    return expression.test(value)
  }
  return {
    overloads: [
      overload('contains', 'contains_string', 'string.(string) -> bool', (value, part) =>
        value.includes(part),
      ),
      overload('endsWith', 'ends_with_string', 'string.(string) -> bool', (value, part) =>
        value.endsWith(part),
      ),
      overload('startsWith', 'starts_with_string', 'string.(string) -> bool', (value, part) =>
        value.startsWith(part),
      ),
      overload('matches', 'matches', '(string, string) -> bool', (value, pattern) => matches(value, pattern)),
      overload('matches', 'matches_string', 'string.(string) -> bool', (value, pattern) =>
        matches(value, pattern),
      ),
    ],
  }
}
