import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { RequestPacing } from './request-pacing.ts'

function setUp() {
  const clock = new SimulatedClock()
  return { clock, pacing: new RequestPacing(clock) }
}

describe('a request that is slowed down', () => {
  test('waits twice as long each time, at most a minute', () => {
    const { pacing } = setUp()
    const intervals = Array.from({ length: 8 }, () => pacing.slowDown('a'))
    expect(intervals).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(pacing.wait('a')).toBe(60_000)
  })

  test('waits as long as its caller asks for, at most a minute, and twice as long the next time', () => {
    const { pacing } = setUp()
    expect(pacing.slowDown('a', 16_000)).toBe(16_000)
    expect(pacing.slowDown('a', 4000)).toBe(32_000)
    expect(pacing.slowDown('b', 300_000)).toBe(60_000)
  })

  test('does not delay another', () => {
    const { pacing } = setUp()
    pacing.slowDown('a')
    expect(pacing.wait('b')).toBe(0)
  })

  test('waits from the start of its last reconcile, and not at all when its interval has passed', async () => {
    const { clock, pacing } = setUp()
    pacing.slowDown('a')
    await clock.advance(400)
    expect(pacing.wait('a')).toBe(600)
    await clock.advance(600)
    expect(pacing.wait('a')).toBe(0)
    pacing.started('a')
    expect(pacing.wait('a')).toBe(1000)
  })

  test('gets shorter intervals step by step when it is no longer slowed down, and is then forgotten', async () => {
    const { clock, pacing } = setUp()
    pacing.slowDown('a')
    pacing.slowDown('a')
    await clock.advance('20s')
    pacing.started('a')
    expect(pacing.wait('a')).toBe(1000)
    await clock.advance('10s')
    pacing.started('a')
    expect(pacing.wait('a')).toBe(0)
    expect(pacing.size).toBe(0)
    expect(pacing.slowDown('a')).toBe(1000)
  })
})

test('the memory of slowed requests is bounded, and the one slowed down last is kept', () => {
  const { pacing } = setUp()
  for (let key = 0; key < 5000; key++) pacing.slowDown(`${key}`)
  expect(pacing.size).toBe(1000)
  expect(pacing.wait('4999')).toBe(1000)
  expect(pacing.wait('0')).toBe(0)
})

test('requests whose time is over leave no memory when the next one is slowed down', async () => {
  const { clock, pacing } = setUp()
  for (let key = 0; key < 100; key++) pacing.slowDown(`${key}`)
  await clock.advance('1m')
  pacing.slowDown('last')
  expect(pacing.size).toBe(1)
})
