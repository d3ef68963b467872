import { BOOL, type Value } from '@homeostat/cel'
import { expect, test } from 'vitest'
import { Evaluation, ExpressionCompiler, ExpressionProblem, type SharedResults } from './index.ts'

const OPTIONS = { params: false, authorizer: false }

test('an expression of several policies is evaluated once, and each of them pays for it', () => {
  const compiled = new ExpressionCompiler({ hasVariables: false }).compile(
    "object == 'abc'.substring(1)",
    [BOOL],
    OPTIONS,
  )
  if (compiled instanceof ExpressionProblem) throw compiled
  const reads: string[] = []
  const values = (name: string): Value => {
    reads.push(name)
    return 'bc'
  }
  const alone = new Evaluation(values, new Map(), 100)
  expect(alone.evaluate(compiled)).toEqual({ value: true })
  const shared: SharedResults = new Map()
  const both = [new Evaluation(values, new Map(), 100), new Evaluation(values, new Map(), 100)]
  for (const evaluation of both) {
    expect(evaluation.evaluateOnce(compiled, shared)).toEqual({ value: true })
    expect(evaluation.budget).toBe(alone.budget)
  }
  expect(alone.budget).toBeLessThan(100)
  expect(reads).toEqual(['object', 'object'])
})
