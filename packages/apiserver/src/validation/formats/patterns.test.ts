import { expect, it } from 'vitest'
import { patternProblem } from './patterns.ts'

it.each([
  ['a\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
  ['(', 'error parsing regexp: missing closing ): `(`'],
  ['a', undefined],
])('says in the words of Go why %s is not a valid pattern', (pattern, problem) => {
  expect(patternProblem(pattern)).toBe(problem)
})
