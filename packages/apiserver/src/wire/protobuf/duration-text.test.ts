import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration-text.ts'

test.each([
  [0n, '0s'],
  [1n, '1ns'],
  [1_500n, '1.5µs'],
  [1_000_000n, '1ms'],
  [90_000_000_000n, '1m30s'],
  [3_600_500_000_000n, '1h0m0.5s'],
  [-90_000_000_000_000n, '-25h0m0s'],
])('%d nanoseconds are %s, and back', (nanoseconds, text) => {
  expect(formatDuration(nanoseconds)).toBe(text)
  expect(parseDuration(text)).toBe(nanoseconds)
})

test('other texts are not read as durations', () => {
  for (const text of ['', 's', '1', '1x', '1h 2m']) expect(parseDuration(text)).toBeUndefined()
})
