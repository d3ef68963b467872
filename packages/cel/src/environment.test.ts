import { describe, expect, test } from 'vitest'
import {
  BOOL,
  Environment,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  SchemaVariable,
  STRING,
  TIMESTAMP,
} from './index.ts'

const failed = (code: string, message: string): unknown => expect.objectContaining({ code, message })
const thrown = (call: () => unknown): unknown => {
  try {
    return call()
  } catch (error) {
    return error
  }
}

describe('variables with types', () => {
  const environment = new Environment({
    count: INT,
    names: listType(STRING),
    labels: mapType(STRING, STRING),
    since: TIMESTAMP,
    limit: DURATION,
    anything: DYN,
  })
  const values = {
    count: 2,
    names: ['a', 'b'],
    labels: { app: 'web' },
    since: new Date('2026-01-01T00:00:00Z'),
    limit: '90m',
    anything: { list: [1, true, null, 'x'] },
  }

  test.each([
    ['count + 1', 3n],
    ['names.map(n, n + "!")', ['a!', 'b!']],
    ['labels', new Map([['app', 'web']])],
    ['since.getFullYear()', 2026n],
    ['limit.getMinutes()', 90n],
    ['anything.list[3]', 'x'],
    ['labels[?"none"]', undefined],
  ])('%s is evaluated', (source, value) => {
    expect(environment.compile(source).evaluate(values).value).toEqual(value)
  })

  test('an expression knows its type and its variables', () => {
    const expression = environment.compile('count > 1')
    expect(expression.type).toEqual(BOOL)
    expect([expression.uses('count'), expression.uses('names')]).toEqual([true, false])
  })

  test('a value of another type is refused with its place', () => {
    const expression = environment.compile('names.size() > 0 && count > 0')
    expect(thrown(() => expression.evaluate({ ...values, names: ['a', 1] }))).toEqual(
      failed('CEL_VALUE', 'names[1]: expected string, got number'),
    )
    expect(thrown(() => expression.evaluate({ ...values, count: 1.5 }))).toEqual(
      failed('CEL_VALUE', 'count: expected int, got number'),
    )
  })

  test('a variable without a value fails where it is used', () => {
    expect(thrown(() => environment.compile('count > 1').evaluate({}))).toEqual(
      failed('CEL_EVALUATION', 'no such attribute(s): count'),
    )
  })

  test('an error that no operator swallows is thrown', () => {
    expect(thrown(() => environment.compile('count / 0').evaluate(values))).toEqual(
      failed('CEL_EVALUATION', 'division by zero'),
    )
  })

  test('an evaluation ends at the cost limit', () => {
    const expression = environment.compile('names.all(a, names.all(b, a + b != ""))')
    expect(thrown(() => expression.evaluate(values, { costLimit: 5 }))).toEqual(
      failed('CEL_COST_LIMIT', 'operation cancelled: actual cost limit exceeded'),
    )
  })

  test('the estimate follows the sizes that are given', () => {
    const expression = environment.compile('names.all(n, n != "")')
    expect(expression.maxCost({ names: 10, 'names.@items': 5 })).toBeLessThan(200)
    expect(expression.maxCost()).toBeGreaterThan(2 ** 60)
  })

  test('an invalid constant does not compile', () => {
    expect(thrown(() => environment.compile('names[0].matches("(")'))).toEqual(
      expect.objectContaining({ code: 'CEL_COMPILE' }),
    )
  })
})

describe('variables with schemas', () => {
  const spec = new SchemaVariable({
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer' },
      items: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
    },
  })

  test('the value and the value before have the same type', () => {
    const environment = new Environment({ self: spec, oldSelf: spec })
    const rule = environment.compile('self == oldSelf || self.size > oldSelf.size')
    expect(rule.evaluate({ self: { size: 2 }, oldSelf: { size: 1 } }).value).toBe(true)
    expect(rule.evaluate({ self: { size: 1 }, oldSelf: { size: 2 } }).value).toBe(false)
  })

  test('the value before may be absent', () => {
    const environment = new Environment({ self: spec, oldSelf: spec.optional() })
    const rule = environment.compile('!oldSelf.hasValue() || self.size >= oldSelf.value().size')
    expect(rule.evaluate({ self: { size: 1 } }).value).toBe(true)
    expect(rule.evaluate({ self: { size: 1 }, oldSelf: { size: 2 } }).value).toBe(false)
  })

  test('the estimate follows the bounds of the schema', () => {
    const environment = new Environment({ self: spec })
    expect(environment.compile('self.items.all(i, i != "")').maxCost()).toBeLessThan(200)
  })

  test('a resource has its name', () => {
    const environment = new Environment({
      self: new SchemaVariable({ type: 'object', properties: {} }, { resource: true }),
    })
    const rule = environment.compile("self.metadata.name.startsWith('a')")
    expect(rule.evaluate({ self: { metadata: { name: 'abc' } } }).value).toBe(true)
  })

  test('a schema without a type is refused', () => {
    expect(thrown(() => new Environment({ self: new SchemaVariable({}) }))).toEqual(
      failed('CEL_COMPILE', 'self: expressions cannot see values without a type'),
    )
  })
})
