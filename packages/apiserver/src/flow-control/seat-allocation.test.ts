import { describe, expect, it } from 'vitest'
import { RetryAfter } from './retry-after.ts'
import { allocateSeats } from './seat-allocation.ts'
import { SeatDemand } from './seat-demand.ts'

describe('seats', () => {
  it('are divided in proportion to the targets', () => {
    const claims = [10, 20, 30].map((target) => ({ lower: 0, upper: 100, target }))
    expect(allocateSeats(120, claims)?.map(Math.round)).toEqual([20, 40, 60])
  })

  it('stay within the limits of each level', () => {
    const claims = [
      { lower: 30, upper: 100, target: 30 },
      { lower: 0, upper: 10, target: 60 },
      { lower: 0, upper: 100, target: 1 },
    ]
    const allocated = allocateSeats(100, claims) ?? []
    expect(allocated[1]).toBe(10)
    expect(allocated.reduce((sum, seats) => sum + seats, 0)).toBeCloseTo(100)
    expect(allocated[0]! / allocated[2]!).toBeCloseTo(30)
  })

  it('are not divided where the limits do not allow it', () => {
    expect(allocateSeats(10, [{ lower: 20, upper: 30, target: 20 }])).toBeUndefined()
    expect(allocateSeats(40, [{ lower: 20, upper: 30, target: 20 }])).toBeUndefined()
    expect(allocateSeats(10, [])).toBeUndefined()
  })
})

describe('the demand for seats', () => {
  it('is measured over a period, and falls slowly', () => {
    const demand = new SeatDemand(0)
    demand.set(10, 0)
    demand.set(0, 5_000)
    demand.next(10_000)
    expect(demand).toMatchObject({ most: 10, average: 5, deviation: 5, smoothed: 10 })
    demand.next(20_000)
    expect(demand).toMatchObject({ most: 0, average: 0 })
    expect(demand.smoothed).toBeCloseTo(9.77)
  })
})

describe('the time after which clients try again', () => {
  it('grows while many are refused, up to a limit, and falls again', () => {
    const retry = new RetryAfter()
    let now = 1_000_000
    for (let second = 0; second < 200; second++, now += 1000) {
      for (let count = 0; count < 100; count++) retry.refused(now)
    }
    expect(retry.seconds).toBe(32)
    for (let second = 0; second < 40; second++, now += 60_000) retry.refused(now)
    expect(retry.seconds).toBe(1)
  })
})
