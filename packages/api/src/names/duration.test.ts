import { describe, expect, expectTypeOf, test } from 'vitest'
import { milliseconds, type Duration } from './duration.ts'

describe('A duration', () => {
  test.each<[Duration, number]>([
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['10h', 36_000_000],
    ['0s', 0],
    ['1.5s', 1_500],
    ['0.5ms', 0.5],
    ['1.005s', 1_005],
    ['16.1m', 966_000],
    [0, 0],
    [12.5, 12.5],
  ])('of %j is %d ms', (duration, expected) => {
    expect(milliseconds(duration)).toBe(expected)
  })

  test.each<unknown>([
    '',
    '5',
    's',
    '-5s',
    '5 s',
    '5d',
    '1e3s',
    '1m30s',
    -1,
    Number.NaN,
    Infinity,
    null,
    undefined,
    {},
  ])('is not %j, and the error names valid forms', (value) => {
    expect(() => milliseconds(value as Duration)).toThrow(
      expect.objectContaining({
        code: 'DURATION_INVALID',
        message: expect.stringContaining("such as '30s'") as string,
      }),
    )
  })

  test('with an unknown unit does not compile', () => {
    expectTypeOf<'30s'>().toExtend<Duration>()
    expectTypeOf<'30d'>().not.toExtend<Duration>()
    expectTypeOf<'soon'>().not.toExtend<Duration>()
  })
})
