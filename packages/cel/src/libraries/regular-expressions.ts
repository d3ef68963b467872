import { ArrayList } from '../values/list-value.ts'
import { overload, type Library } from './overload.ts'
import type { Patterns } from './patterns.ts'
import { fail, type Value } from '../values/value.ts'

/** Functions that find patterns in texts. */
export function regularExpressions(patterns: Patterns): Library {
  return {
    overloads: [
      overload('find', 'string_find_string', 'string.(string) -> string', (text, pattern) => {
        const found = findAll(patterns, text, pattern, 1)
        return found instanceof Error ? fail(`Illegal regex: ${found.message}`) : (found[0] ?? '')
      }),
      overload('findAll', 'string_find_all_string', 'string.(string) -> list(string)', (text, pattern) =>
        listOf(findAll(patterns, text, pattern, -1)),
      ),
      overload(
        'findAll',
        'string_find_all_string_int',
        'string.(string, int) -> list(string)',
        (text, pattern, count) => listOf(findAll(patterns, text, pattern, Number(count))),
      ),
    ],
  }
}

/** The most matches that are found in a text. Further ones would take longer than the cost accounts for. */
const MOST = 100_000

function listOf(found: readonly string[] | Error): Value {
  return found instanceof Error ? fail(`Illegal regex: ${found.message}`) : new ArrayList(found)
}

function findAll(
  patterns: Patterns,
  text: string,
  pattern: string,
  count: number,
): readonly string[] | Error {
  const expression = patterns.compile(pattern)
  if (expression instanceof Error) return expression
  patterns.spendOnMatch(expression, text)
  const matcher = expression.matcher(text)
  const found: string[] = []
  for (let left = count < 0 ? Infinity : count; left > 0 && matcher.find(); left--) {
    found.push(matcher.group() ?? '')
    if (found.length > MOST) return new Error(`more than ${MOST} matches`)
  }
  return found
}
