import { expect, it } from 'vitest'
import { parseJson } from '../json/index.ts'
import { goText } from './go-text.ts'

it.each([
  ['null', '<nil>'],
  ['"a b"', 'a b'],
  ['true', 'true'],
  ['5', '5'],
  ['9223372036854775807', '9223372036854775807'],
  ['1e20', '1e+20'],
  ['1234567.5', '1.2345675e+06'],
  ['0.00001', '1e-05'],
  ['[1,"a",[]]', '[1 a []]'],
  ['{"b":{"__proto__":1},"a":[null]}', 'map[a:[<nil>] b:map[__proto__:1]]'],
])('prints %s as Go does', (json, text) => {
  expect(goText(parseJson(json))).toBe(text)
})
