import { expect, test } from 'vitest'
import { duplicateFields } from './scan-json.ts'

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
])('the duplicates of %s are %j', (text, paths) => {
  expect(duplicateFields(text)).toEqual(paths.map((path) => `duplicate field "${path}"`))
})

test('it ends on any text', () => {
  for (const text of ['{"a', '"\\', ']}', '{"a":1,,"a"}', ''])
    expect(duplicateFields(text).length).toBeLessThan(3)
})
