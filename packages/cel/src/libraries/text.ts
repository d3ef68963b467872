import { overload, type Library } from './overload.ts'
import type { Patterns } from './patterns.ts'
import { fail, type Value } from '../values/value.ts'

/** What the language itself offers for texts. */
export function text(patterns: Patterns): Library {
  const matches = (value: Value, pattern: Value): Value => {
    const expression = patterns.compile(pattern as string)
    if (expression instanceof Error) return fail(expression.message)
    patterns.spendOnMatch(expression, value as string)
    return expression.test(value as string)
  }
  return {
    overloads: [
      overload('contains', 'contains_string', 'string.(string) -> bool', (value, part) =>
        (value as string).includes(part as string),
      ),
      overload('endsWith', 'ends_with_string', 'string.(string) -> bool', (value, part) =>
        (value as string).endsWith(part as string),
      ),
      overload('startsWith', 'starts_with_string', 'string.(string) -> bool', (value, part) =>
        (value as string).startsWith(part as string),
      ),
      overload('matches', 'matches', '(string, string) -> bool', (value, pattern) => matches(value, pattern)),
      overload('matches', 'matches_string', 'string.(string) -> bool', (value, pattern) =>
        matches(value, pattern),
      ),
    ],
  }
}
