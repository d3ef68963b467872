import { expect, test } from 'vitest'
import { formatGoDuration, parseFormatDuration, parseGoDuration } from './go-duration.ts'

test.each([
  [0n, '0s'],
  [1n, '1ns'],
  [1_500n, '1.5µs'],
  [1_000_000n, '1ms'],
  [90_000_000_000n, '1m30s'],
  [3_600_500_000_000n, '1h0m0.5s'],
  [-90_000_000_000_000n, '-25h0m0s'],
])('%d nanoseconds are %s, and back', (nanoseconds, text) => {
  expect(formatGoDuration(nanoseconds)).toBe(text)
  expect(parseGoDuration(text)).toBe(nanoseconds)
})

test.each([
  ['0', 0n],
  ['-0', 0n],
  ['+.5s', 500_000_000n],
  ['1.s', 1_000_000_000n],
  ['2\u03bcs', 2_000n],
  ['9223372036854775807ns', 2n ** 63n - 1n],
  ['-9223372036854775808ns', -(2n ** 63n)],
])('%s is read as in Go', (text, nanoseconds) => {
  expect(parseGoDuration(text)).toBe(nanoseconds)
})

test('the format of a schema also has words', () => {
  expect(parseFormatDuration('1m30s')).toBe(90_000_000_000n)
  expect(parseFormatDuration('2 days')).toBe(172_800_000_000_000n)
  expect(parseFormatDuration('1 Week 3 hours')).toBe(615_600_000_000_000n)
  expect(parseFormatDuration('2 fortnights')).toBeUndefined()
})

test('other texts are not read as durations', () => {
  for (const text of ['', '-', 's', '.s', '1', '00', '1x', '1h 2m', '--1s', '9223372036854775808ns'])
    expect(parseGoDuration(text)).toBeUndefined()
})
