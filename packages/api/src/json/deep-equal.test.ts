import { expect, test } from 'vitest'
import { deepEqual } from './deep-equal.ts'

test.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, undefined, false],
  [{}, [], false],
  [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: undefined }, {}, true],
  [{}, { a: undefined }, true],
  [{ a: undefined }, { b: undefined }, true],
  [{ a: undefined }, { a: 1 }, false],
  [{ a: null }, {}, false],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{}, { toString: undefined }, true],
  [{ constructor: Object }, {}, false],
  [JSON.parse('{"__proto__":{}}'), {}, false],
])('%j and %j are the same JSON: %j', (left, right, expected) => {
  expect(deepEqual(left, right)).toBe(expected)
})
