import { expect, test } from 'vitest'
import { MICRO_TIME_LAYOUT, TIME_LAYOUT, timeProblem } from './go-time.ts'

test.each([
  ['2026-11-18T18:33:05Z', undefined],
  ['2026-11-18T18:33:05.123456Z', undefined],
  ['2026-11-18T18:33:05.5Z', undefined],
  ['2026-11-18T18:33:05+02:00', undefined],
  ['2024-02-29T00:00:00Z', undefined],
  ['2026-12-31T23:59:59Z', undefined],
  ['2026-02-29T00:00:00Z', 'parsing time "2026-02-29T00:00:00Z": day out of range'],
  ['2026-11-00T00:00:00Z', 'parsing time "2026-11-00T00:00:00Z": day out of range'],
  ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
  ['2026-01-01T24:00:00Z', 'parsing time "2026-01-01T24:00:00Z": hour out of range'],
  ['2026-01-01T00:00:00ZZ', 'parsing time "2026-01-01T00:00:00ZZ": extra text: "Z"'],
])('reads %s as Go does', (text, problem) => {
  expect(timeProblem(text, TIME_LAYOUT)).toBe(problem)
})

test('wants six digits of a second where the layout has them', () => {
  expect(timeProblem('2026-11-18T18:33:05.123456Z', MICRO_TIME_LAYOUT)).toBeUndefined()
  expect(timeProblem('2026-11-18T18:33:05Z', MICRO_TIME_LAYOUT)).toBe(
    'parsing time "2026-11-18T18:33:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  )
})
