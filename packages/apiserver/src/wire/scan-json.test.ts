import { expect, test } from 'vitest'
import { scanJson } from './scan-json.ts'

test.each([
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1,"b":2},"c":{"b":1}}', ['a.b']],
  ['{"list":[{"n":1},{"n":1,"n":2}]}', ['list[1].n']],
  ['[[{"a":1}],[{"a":1,"a":1}]]', ['[1][0].a']],
  [String.raw`{"a":"} , \" {","b":[],"b":{}}`, ['b']],
  [String.raw`{"\u0061":1,"a":2}`, ['a']],
  ['{"a":"a","b":"a","c":["a","a"]}', []],
  ['{"a":1,"a":2,"a":3}', ['a']],
])('the duplicates of %s are %j', (text, duplicates) => {
  expect(scanJson(text).duplicates).toEqual(duplicates)
})

test('the depth is that of the innermost object or list', () => {
  expect(scanJson('1').depth).toBe(0)
  expect(scanJson('{"a":[{"b":{}}],"c":[]}').depth).toBe(4)
})

test('it ends on any text', () => {
  for (const text of ['{"a', '"\\', ']}', '{"a":1,,"a"}', '']) expect(scanJson(text).depth).toBeLessThan(3)
})

test.each([
  ['{"a":{"b":[1,9007199254740993]}}', { path: 'a.b[1]', text: '9007199254740993' }],
  ['{"a":-9223372036854775807}', { path: 'a', text: '-9223372036854775807' }],
  ['[1e400]', { path: '[0]', text: '1e400' }],
  ['-1E999', { path: '', text: '-1E999' }],
  ['{"a":9007199254740991,"b":-9007199254740991,"c":1e20,"d":100000000000000000000}', undefined],
  ['{"a":0.1234567890123456789,"b":"9007199254740993","9007199254740993":true}', undefined],
])('the number that %s loses is %j', (text, lost) => {
  expect(scanJson(text).lostNumber).toEqual(lost)
})
