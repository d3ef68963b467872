import { describe, expect, test } from 'vitest'
import {
  CostLimitExceeded,
  estimateCost,
  EvaluationError,
  INT,
  Language,
  listType,
  Meter,
  STRING,
  type Value,
} from './index.ts'
import { ArrayList } from './values/list-value.ts'

const language = new Language()
const variables = new Map([
  ['list', listType(INT)],
  ['text', STRING],
])
const scope = { variables, field: () => undefined }

function evaluate(source: string, values: Record<string, Value> = {}, meter = new Meter(1_000_000)): Value {
  const checked = language.check(source, scope)
  if (checked instanceof Error) throw checked
  return language.compile(checked).evaluate((name) => values[name], meter)
}

describe('an evaluation always ends', () => {
  test.each([
    ['nested loops', 'list.all(a, list.all(b, list.all(c, a + b + c >= 0)))'],
    ['a list that is too long to make', 'lists.range(1000000000000).size() > 0'],
    ['a list that grows in a loop', 'list.map(a, list.map(b, list)).size() > 0'],
    [
      'a text that doubles',
      "list.map(x, text).join('').size() > 0 && list.all(x, list.all(y, (text + text).size() > 0))",
    ],
    ['sorting by comparing all with all', 'lists.range(2000).sort().size() > 0'],
    ['a pattern on a long text', "list.all(x, !text.matches('(a|b|c|d|e|f|g)*x'))"],
  ])('%s costs too much', (_title, source) => {
    const values = {
      list: new ArrayList(Array.from({ length: 500 }, (_, index) => BigInt(index))),
      text: 'ab'.repeat(5_000),
    }
    const meter = new Meter(1_000_000)
    expect(() => evaluate(source, values, meter)).toThrow(CostLimitExceeded)
    expect(meter.cost).toBeGreaterThan(1_000_000)
  })

  test('a text that would not fit in memory is an error', () => {
    const text = 'a'.repeat(2_000_000)
    const value = evaluate(`text.replace('a', text).size() > 0`, { text }, new Meter(10_000_000))
    expect(value).toBeInstanceOf(EvaluationError)
  })

  test('deep nesting is refused before anything is evaluated', () => {
    expect(language.check('('.repeat(100_000), scope)).toBeInstanceOf(Error)
    expect(language.check(`${'['.repeat(251)}${']'.repeat(251)}`, scope)).toMatchObject({
      message: 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    })
    expect(
      language.check(Array.from({ length: 5_000 }, () => 'true').join(' && '), scope),
    ).not.toBeInstanceOf(Error)
  })

  test('an expression that is too long is refused', () => {
    const found = language.check('1 + '.repeat(30_000), scope)
    expect(found).toMatchObject({
      message: 'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 120000, limit 100000',
    })
  })
})

describe('errors are values', () => {
  test.each([
    ['1 / 0 == 1 || true', true],
    ['true || 1 / 0 == 1', true],
    ['1 / 0 == 1 && false', false],
    ['[1, 0].exists(x, 1 / x == 1)', true],
    ['[0, 1].all(x, 1 / x == 2)', false],
    ['false ? 1 / 0 == 1 : true', true],
  ])('%s is %s', (source, value) => {
    expect(evaluate(source)).toBe(value)
  })

  test('an error that no operator swallows is the result', () => {
    expect(evaluate('1 / 0 == 1 || false')).toMatchObject({ message: 'division by zero' })
    expect(evaluate('[1, 2][5] == 1')).toMatchObject({ message: 'index out of bounds: 5' })
    expect(evaluate('9223372036854775807 + 1 > 0')).toMatchObject({ message: 'integer overflow' })
  })
})

test('names such as __proto__ and constructor are like any others', () => {
  expect(evaluate("{'a': 1}[?'__proto__'].hasValue()")).toBe(false)
  expect(evaluate("{'constructor': 1}.constructor == 1")).toBe(true)
  expect(evaluate("'toString' in {'a': 1}")).toBe(false)
})

test('texts are counted and compared by characters', () => {
  expect(evaluate("'\u{1f600}a'.size()")).toBe(2n)
  expect(evaluate("'\u{1f600}a'.substring(1)")).toBe('a')
  expect(evaluate("'\uffff' < '\u{1f600}'")).toBe(true)
})

test('the estimated cost of an expression follows from the bounds of sizes', () => {
  const checked = language.check('list.all(x, x > 0)', scope)
  if (checked instanceof Error) throw checked
  expect(estimateCost(checked, () => ({ min: 0, max: 10 })).max).toBeLessThan(100)
  expect(estimateCost(checked, () => undefined).max).toBe(2 ** 64)
})
