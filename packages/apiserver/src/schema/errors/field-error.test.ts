import { describe, expect, it } from 'vitest'
import {
  aggregate,
  causesOf,
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  tooLong,
  tooMany,
  unsupportedValue,
} from './field-error.ts'
import { jsonText, numberText, quote } from '../values/go-text.ts'

describe('a field error', () => {
  it('says what is wrong in the words of the API', () => {
    expect(invalidValue('spec.replicas', 0, 'must be more').message).toBe('Invalid value: 0: must be more')
    expect(requiredValue('spec.a').message).toBe('Required value')
    expect(unsupportedValue('spec.a', 'x', ['A', 'B']).message).toBe(
      'Unsupported value: "x": supported values: "A", "B"',
    )
    expect(duplicateValue('spec.a', { b: 1, a: '<' }).message).toBe(
      String.raw`Duplicate value: {"a":"\u003c","b":1}`,
    )
    expect(forbiddenValue('spec.a', 'no').message).toBe('Forbidden: no')
    expect(tooLong('spec.a', 1).message).toBe('Too long: may not be more than 1 byte')
    expect(tooMany('spec.a', 3, 2).message).toBe('Too many: 3: must have at most 2 items')
  })

  it('becomes a cause', () => {
    expect(causesOf([requiredValue('spec.a')])).toEqual([
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' },
    ])
  })

  it('is one line alone, and several are in brackets, each once', () => {
    const [a, b] = [requiredValue('a'), requiredValue('b')]
    expect(aggregate([a])).toBe('a: Required value')
    expect(aggregate([a, b, a])).toBe('[a: Required value, b: Required value]')
  })
})

describe('values in messages', () => {
  it('are quoted with everything escaped that cannot be seen', () => {
    expect(quote('a"b\\c\n\t\u0000\u007f')).toBe(String.raw`"a\"b\\c\n\t\x00\x7f"`)
    expect(quote('é😀 \u200b\u{e0001}')).toBe(String.raw`"é😀 \u200b\U000e0001"`)
  })

  it('show numbers as Go does', () => {
    const numbers = [1, 1.5, 2_147_483_647.5, 1e21, 1e-7, 0.00001, 0.0001, 12_345_678_901_234_567_890n]
    expect(numbers.map(numberText)).toEqual([
      '1',
      '1.5',
      '2.1474836475e+09',
      '1e+21',
      '1e-07',
      '1e-05',
      '0.0001',
      '12345678901234567890',
    ])
  })

  it('show JSON with its keys sorted', () => {
    expect(jsonText([9223372036854775808, 1e21])).toBe('[9223372036854776000,1e+21]')
    expect(jsonText({ b: [null, true], a: { d: 'x&y', c: undefined } })).toBe(
      String.raw`{"a":{"d":"x\u0026y"},"b":[null,true]}`,
    )
  })
})
