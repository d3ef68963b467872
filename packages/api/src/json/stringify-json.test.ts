import { expect, test } from 'vitest'
import { stringifyJson } from './stringify-json.ts'

test.each([
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740992',
  '{"a":[1,9223372036854775807]}',
])('%s is the same when it is read by JSON.parse and written again', (text) => {
  expect(stringifyJson(JSON.parse(text))).toBe(text)
})

test.each(['{"id":"9223372036854775807"}', '[0.1234567890123456789,1e300]', '[1,null,"x"]'])(
  '%s is written as JSON.stringify does',
  (text) => {
    expect(stringifyJson(JSON.parse(text))).toBe(JSON.stringify(JSON.parse(text)))
  },
)
