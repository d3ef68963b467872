import { rules } from '../../policy-objects.ts'
import type { Scenario } from '../../scenario.ts'
import { demand, denies, good, make } from './policy-steps.ts'

/** An expression of two loops, each over so many numbers. */
const loops = (count: number): string => {
  const numbers = `[${Array.from({ length: count }, (_, index) => index).join(',')}]`
  return `${numbers}.all(x, ${numbers}.all(y, x + y >= 0))`
}
const many = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `c${index}`, expression: loops(size) }))

/** Expressions that cost too much, besides those of validations. */
export const costs: readonly Scenario[] = [
  denies(
    'a matchCondition that costs too much',
    { ...demand('true'), matchConditions: many(1, 600) },
    make(good),
  ),
  denies(
    'a matchCondition that costs too much, and the failure policy Ignore',
    { ...demand('false'), failurePolicy: 'Ignore', matchConditions: many(1, 600) },
    make(good),
  ),
  denies(
    'matchConditions that cost too much together',
    { ...demand('true'), matchConditions: many(14, 260) },
    make(good),
  ),
  denies(
    'a variable that costs too much',
    { ...demand('variables.slow'), variables: [{ name: 'slow', expression: loops(600) }] },
    make(good),
  ),
  denies(
    'a variable that costs much and is used twice',
    {
      variables: [{ name: 'slow', expression: loops(260) }],
      validations: Array.from({ length: 40 }, () => ({ expression: 'variables.slow' })),
    },
    make(good),
  ),
  denies(
    'a messageExpression that costs too much',
    demand('false', { message: 'short', messageExpression: `${loops(600)} ? 'a' : 'b'` }),
    make(good),
  ),
  denies(
    'an auditAnnotation that costs too much',
    {
      ...demand('true'),
      auditAnnotations: [{ key: 'note', valueExpression: `${loops(600)} ? 'a' : 'b'` }],
    },
    make(good),
  ),
  denies(
    'an expression that costs too much, and the failure policy Ignore',
    { ...demand(loops(600)), failurePolicy: 'Ignore' },
    make(good),
  ),
  denies(
    'an expression that costs too much, of a kind that a policy is not for',
    { ...demand(loops(600)), matchConstraints: rules(['secrets']) },
    make(good),
  ),
]
