import { numberText } from '@homeostat/api'
import { expect, test } from 'vitest'
import { atOnce } from '../work/index.ts'
import { BodyError } from './body-error.ts'
import { decodeJson, decodeJsonInParts, plainNumbers } from './decode-json.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The value that is kept of a text. */
function kept(text: string): string {
  const { value, oddNumbers } = decodeJson(bytes(text))
  return JSON.stringify(oddNumbers ? plainNumbers(value) : value)
}

function refusal(body: Uint8Array): string {
  try {
    decodeJson(body)
  } catch (error) {
    if (error instanceof BodyError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

test('a key of one escaped character is read as such where a backslash stood before', () => {
  kept('{"before":1,"\\\\":2}')
  expect(kept('{"before":1,"\\"":2.0}')).toBe('{"before":1,"\\"":2}')
})

// Each of these is the number that a kube-apiserver 1.36 keeps in a field of any type.
test.each([
  ['1.0', '1'],
  ['1e3', '1000'],
  ['1E3', '1000'],
  ['-0', '0'],
  ['-0.0', '0'],
  ['1e20', '100000000000000000000'],
  ['1e21', '1e+21'],
  ['123456789012345678901234', '1.2345678901234569e+23'],
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '-9007199254740993'],
  ['9223372036854775807', '9223372036854775807'],
  ['9223372036854775808', '9223372036854776000'],
  ['-9223372036854775809', '-9223372036854776000'],
  ['18446744073709551615', '18446744073709552000'],
  ['1e-400', '0'],
  ['1e-7', '1e-7'],
  ['0.000001', '0.000001'],
  ['1.5e300', '1.5e+300'],
])('the number %s is kept as %s', (text, expected) => {
  expect(kept(`{"a":[${text}]}`)).toBe(`{"a":[${expected}]}`)
})

test('an infinite number is refused', () => {
  expect(() => kept('{"a":{"b":1e400}}')).toThrow(
    'json: cannot unmarshal number 1e400 into Go value of type float64',
  )
})

test('a number keeps its written form until plainNumbers converts it', () => {
  const { value } = decodeJson(bytes('{"a":1.0}')) as { value: { a: unknown } }
  expect(numberText(value.a)).toBe('1.0')
})

test('digits in a text are left alone', () => {
  const text = '{"a":"x:1.0,12345678901234567890","b":[": 9007199254740993"]}'
  expect(kept(text)).toBe(text)
})

test('duplicate fields are named, and the last counts', () => {
  const { value, duplicates } = decodeJson(bytes('{"a":1,"b":{"c":1,"c":2},"a":3}'))
  expect(value).toEqual({ a: 3, b: { c: 2 } })
  expect(duplicates).toEqual(['duplicate field "b.c"', 'duplicate field "a"'])
})

test('keys that only seem to be duplicates are not named', () => {
  const { duplicates } = decodeJson(bytes(String.raw`{"a":"{\"b\":1,\"b\":2}","c\\":1, "d" : "x\\"}`))
  expect(duplicates).toEqual([])
})

test('a duplicate field is found beside a key that ends with a backslash', () => {
  const { duplicates } = decodeJson(bytes(String.raw`{"a":1,"a":2,"\\":3}`))
  expect(duplicates).toEqual(['duplicate field "a"'])
})

test('a lone surrogate becomes the replacement character', () => {
  const { value } = decodeJson(
    bytes(String.raw`{"a":"\ud800","b":"\udc00x","c":"\ud83d\ude00","\ud801":"\\ud800"}`),
  )
  expect(value).toEqual({ a: '\ufffd', b: '\ufffdx', c: '😀', '\ufffd': String.raw`\ud800` })
})

test('bytes that are not UTF-8 become the replacement character', () => {
  const body = Uint8Array.from([...bytes('{"a":"'), 0xff, 0xfe, 0x80, ...bytes('"}')])
  expect(decodeJson(body).value).toEqual({ a: '\ufffd\ufffd\ufffd' })
})

// The words are those of Go.
test.each([
  ['', 'unexpected end of JSON input'],
  [' \n', 'unexpected end of JSON input'],
  ['{"a":', 'unexpected end of JSON input'],
  ['{"a', 'unexpected end of JSON input'],
  ['kind: A', "invalid character 'k' looking for beginning of value"],
  ['{}x', "invalid character 'x' after top-level value"],
  ['{} {}', "invalid character '{' after top-level value"],
  ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{"a":"\u0001"}', String.raw`invalid character '\x01' in string literal`],
  ['{"a":"\n"}', String.raw`invalid character '\n' in string literal`],
  [String.raw`{"a":"\x"}`, "invalid character 'x' in string escape code"],
  [String.raw`{"a":"\u00g0"}`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
  ['[-]', "invalid character ']' in numeric literal"],
  ['[01]', "invalid character '1' after array element"],
  ['[1.]', "invalid character ']' after decimal point in numeric literal"],
  ['[1e]', "invalid character ']' in exponent of numeric literal"],
  ['[tru]', "invalid character ']' in literal true (expecting 'e')"],
  ['[nil]', "invalid character 'i' in literal null (expecting 'u')"],
  ["['a']", String.raw`invalid character '\'' looking for beginning of value`],
  ['['.repeat(10_001), "invalid character '[' exceeded max depth"],
  ['['.repeat(10_001) + ']'.repeat(10_001), "invalid character '[' exceeded max depth"],
])('%j is refused: %s', (text, message) => {
  expect(refusal(bytes(text))).toBe(message)
})

test('bytes that are not text are refused', () => {
  expect(refusal(Uint8Array.from([0xff]))).toBe("invalid character 'ÿ' looking for beginning of value")
  expect(refusal(Uint8Array.from([0x80]))).toBe(
    String.raw`invalid character '\u0080' looking for beginning of value`,
  )
})

test('a body that is nested deeper than the stack allows is refused', () => {
  expect(refusal(bytes('['.repeat(5000) + ']'.repeat(5000)))).toBe(
    'the body of the request is nested deeper than 1000 levels',
  )
})

test.each([
  '1.0e1',
  '1.5',
  '-0.5',
  '-0',
  '-0.0',
  '-0e5',
  '-1e-400',
  '1e400',
  '1e-400',
  '0.1e+2',
  '9007199254740993',
  '12345678901234567890123',
  '-9223372036854775808',
  '0.30000000000000004',
  '1e21',
  '123E-7',
])('%s is the same number where only its value counts', (number) => {
  const body = new TextEncoder().encode(`{"a":[${number},{"b":${number}}],"text":"1.0"}`)
  const read = (plain: boolean): unknown => {
    try {
      const { value, oddNumbers } = atOnce(decodeJsonInParts(body, false, plain))
      return JSON.stringify(oddNumbers ? plainNumbers(value) : value)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(read(true)).toBe(read(false))
  expect(read(true)).not.toContain('-0,')
})
