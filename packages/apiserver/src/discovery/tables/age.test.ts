import { describe, expect, test } from 'vitest'
import { ageOf, shortDuration } from './age.ts'

const [s, m, h, d, y] = [1_000, 60_000, 3_600_000, 86_400_000, 365 * 86_400_000]

describe('a duration', () => {
  test.for<[number, string]>([
    [-5 * s, '<invalid>'],
    [-2 * s, '<invalid>'],
    [-1.5 * s, '0s'],
    [0, '0s'],
    [119.9 * s, '119s'],
    [2 * m, '2m'],
    [5 * m + 30 * s, '5m30s'],
    [10 * m, '10m'],
    [3 * h - 1, '179m'],
    [3 * h, '3h'],
    [7 * h + 59 * m, '7h59m'],
    [8 * h + 59 * m, '8h'],
    [2 * d - 1, '47h'],
    [2 * d + 3 * h, '2d3h'],
    [3 * d, '3d'],
    [8 * d + 3 * h, '8d'],
    [2 * y - 1, '729d'],
    [2 * y, '2y'],
    [2 * y + 5 * d, '2y5d'],
    [9 * y + 5 * d, '9y'],
  ])('of %i ms is shown as %s', ([milliseconds, text]) => {
    expect(shortDuration(milliseconds)).toBe(text)
  })
})

test('an age is counted from the time to now, and unknown without a time', () => {
  const now = Date.parse('2026-01-03T03:00:00Z')
  expect(ageOf('2026-01-01T00:00:00Z', now)).toBe('2d3h')
  expect(ageOf(undefined, now)).toBe('<unknown>')
  expect(ageOf(null, now)).toBe('<unknown>')
})
