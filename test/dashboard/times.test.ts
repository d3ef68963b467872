import { expect, it } from 'vitest'
import { spanOf } from '../../packages/dashboard/page/model/times.ts'

it.each([
  [0, '0 ms'],
  [1.26, '1.3 ms'],
  [9.97, '10 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [9960, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [119_700, '2 min'],
  [150_000, '2 min 30 s'],
  [3_599_800, '1 h'],
  [7_170_000, '2 h'],
  [5_400_000, '1 h 30 min'],
  [-2000, '2.0 s'],
])('%d ms are shown as %s', (milliseconds, text) => {
  expect(spanOf(milliseconds)).toBe(text)
})
