import { describe, expect, it } from 'vitest'
import {
  countCommon,
  countIndexes,
  formatIndexes,
  freeIndexes,
  hasIndex,
  mergeIndexes,
  parseIndexes,
  withIndexes,
} from './index-intervals.ts'

describe('completion indexes', () => {
  it('are written with dashes for three and more in a row', () => {
    expect(formatIndexes(withIndexes([], [7, 0, 1, 3, 4, 5, 9, 10]))).toBe('0,1,3-5,7,9,10')
    expect(formatIndexes([])).toBe('')
  })

  it('are parsed, without parts that are out of range or not intervals', () => {
    expect(parseIndexes('0-2,4,x,6-9', 8)).toEqual([
      [0, 2],
      [4, 4],
      [6, 7],
    ])
    expect(parseIndexes('0,1,2', 5)).toEqual([[0, 2]])
    expect(parseIndexes('9', 8)).toEqual([])
    expect(parseIndexes(undefined, 8)).toEqual([])
  })

  it('are merged, counted and looked up', () => {
    const merged = mergeIndexes(parseIndexes('0-2,8', 10), parseIndexes('2-4,6', 10))
    expect(formatIndexes(merged)).toBe('0-4,6,8')
    expect(countIndexes(merged)).toBe(7)
    expect([hasIndex(merged, 4), hasIndex(merged, 5)]).toEqual([true, false])
    expect(countCommon(merged, parseIndexes('3-7', 10))).toBe(3)
  })

  it('that are free are the lowest ones', () => {
    expect(freeIndexes(parseIndexes('1-2,4', 10), 4, 10)).toEqual([0, 3, 5, 6])
    expect(freeIndexes(parseIndexes('0-8', 10), 4, 10)).toEqual([9])
    expect(freeIndexes([], 2, 0)).toEqual([])
  })
})
