import { describe, expect, test } from 'vitest'
import { readResult } from './result.ts'

describe('what a reconcile may return', () => {
  test.each([
    [undefined, { type: 'done' }],
    [{}, { type: 'done' }],
    [{ requeue: false }, { type: 'done' }],
    [{ requeueAfter: undefined }, { type: 'done' }],
    [{ requeue: true }, { type: 'requeue' }],
    [{ requeueAfter: '30s' }, { type: 'requeueAfter', milliseconds: 30_000 }],
    [{ requeueAfter: 1500 }, { type: 'requeueAfter', milliseconds: 1500 }],
    [{ requeueAfter: '2200h' }, { type: 'requeueAfter', milliseconds: 2200 * 3_600_000 }],
  ])('%o is read', (value, outcome) => {
    expect(readResult(value)).toEqual(outcome)
  })

  test('requeueAfter counts where both are given, as guides for Go have it', () => {
    expect(readResult({ requeue: true, requeueAfter: '5s' })).toEqual({
      type: 'requeueAfter',
      milliseconds: 5000,
    })
  })

  test('requeueAfter of no time is a requeue, which cannot spin', () => {
    expect(readResult({ requeueAfter: 0 })).toEqual({ type: 'requeue' })
  })
})

describe('anything else is an error with the value and the allowed results', () => {
  test.each([
    [5, 'returned 5'],
    ['30s', 'returned "30s"'],
    [null, 'returned null'],
    [true, 'returned true'],
    [[], 'returned a list'],
    [{ requeueafter: '5s' }, 'the field "requeueafter"'],
    [{ requeue: 'yes' }, 'requeue: "yes"'],
    [{ requeueAfter: -1 }, 'requeueAfter: -1'],
    [{ requeueAfter: Number.NaN }, 'requeueAfter: NaN'],
    [{ requeueAfter: Number.POSITIVE_INFINITY }, 'requeueAfter: Infinity'],
    [{ requeueAfter: '5 minutes' }, 'requeueAfter: "5 minutes"'],
    [{ requeueAfter: null }, 'requeueAfter: null'],
  ])('%o', (value, words) => {
    expect(() => readResult(value)).toThrow(words)
    expect(() => readResult(value)).toThrow('{ requeue: true }')
  })
})
