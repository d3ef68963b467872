import { expect, test } from 'vitest'
import { isExactNumber, numberText } from './exact-number.ts'
import { parseJson } from './parse-json.ts'

test.each([
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '{"a":[9007199254740993,{"b":-9007199254740995}],"c":1}',
])('%s is the same when it is written again', (text) => {
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

test.each([
  ['what 53 bits hold', '9007199254740991', 9007199254740991],
  ['what 64 bits do not hold, as everyone reads it', '9223372036854775808', 9223372036854776000],
  ['a fraction with many digits', '0.12345678901234567890', 0.12345678901234568],
  ['a large number with an exponent', '1234567890123456789e3', 1.2345678901234568e21],
])('%s is a number', (_, text, number) => {
  expect(parseJson(text)).toBe(number)
})

test('long digits in a text stay a text, and a key named __proto__ a key', () => {
  const text = '{"id":"12345678901234567890","__proto__":{"n":9007199254740993}}'
  expect(JSON.stringify(parseJson(text))).toBe(text)
})

test.each(['"\\""', '"\\n"', '"\\u0061"'])(
  'the key %s is read correctly where a backslash was read before',
  (key) => {
    JSON.parse(`{"key-${key.length}":1,"\\\\":2}`)
    const text = `{"key-${key.length}":1, ${key} : [2, {"x":9007199254740993}, "a\\"]" ] }`
    const expected = JSON.stringify({ [`key-${key.length}`]: 1, [JSON.parse(key)]: [2, { x: 0 }, 'a"]'] })
    expect(JSON.stringify(parseJson(text))).toBe(expected.replace('"x":0', '"x":9007199254740993'))
  },
)

test('an exact number is distinguished from an object of the same form', () => {
  const [exact, lookalike] = parseJson('[9007199254740993,{"rawJSON":"9007199254740993"}]') as unknown[]
  expect(isExactNumber(exact)).toBe(true)
  expect(isExactNumber(lookalike)).toBe(false)
  expect(numberText(exact)).toBe('9007199254740993')
  expect(numberText(1e21)).toBe('1e+21')
  expect(numberText('1')).toBeUndefined()
})

test('invalid JSON is refused', () => {
  expect(() => parseJson('[9007199254740993')).toThrow(SyntaxError)
})
