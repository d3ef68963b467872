import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SystemClock } from './system-clock.ts'

const DAY = 86_400_000
const clock = new SystemClock()

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('A timer of the machine', () => {
  test('fires once, after its time', () => {
    const fired = vi.fn<() => void>()
    clock.schedule(500, fired)
    vi.advanceTimersByTime(499)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(fired).toHaveBeenCalledOnce()
  })

  test('supports delays beyond the 24.8 days of setTimeout', () => {
    const fired: number[] = []
    const start = clock.monotonic()
    clock.schedule(60 * DAY, () => fired.push(clock.monotonic() - start))
    vi.advanceTimersByTime(60 * DAY - 1)
    expect(fired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(fired).toEqual([60 * DAY])
  })

  test('uses monotonic time, not wall time', () => {
    const fired = vi.fn<() => void>()
    clock.schedule(30 * DAY, fired)
    vi.setSystemTime(100 * DAY)
    vi.advanceTimersByTime(30 * DAY - 1)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledOnce()
  })

  test('that is cancelled never fires, also after its first 24.8 days', () => {
    const fired = vi.fn<() => void>()
    const soon = clock.schedule(10, fired)
    const far = clock.schedule(60 * DAY, fired)
    soon.cancel()
    soon.cancel()
    vi.advanceTimersByTime(30 * DAY)
    far[Symbol.dispose]()
    vi.advanceTimersByTime(60 * DAY)
    expect(fired).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('in the past fires at once, but not before schedule returns', () => {
    const fired = vi.fn<() => void>()
    clock.schedule(-5, fired)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledOnce()
  })

  test('for NaN milliseconds is refused', () => {
    expect(() => clock.schedule(Number.NaN, () => {})).toThrow(/NaN milliseconds/)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('A sleep of the machine', () => {
  test('ends after its time', async () => {
    const sleep = clock.sleep(1_000)
    vi.advanceTimersByTime(1_000)
    await expect(sleep).resolves.toBeUndefined()
  })

  test('ends with the reason of its signal, and leaves no timer', async () => {
    const abort = new AbortController()
    const sleep = clock.sleep(1_000, { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('Wall time and monotonic time are the machine’s', () => {
  expect(clock.now()).toBe(1_000)
  const before = clock.monotonic()
  vi.advanceTimersByTime(250)
  expect(clock.now()).toBe(1_250)
  expect(clock.monotonic() - before).toBe(250)
})

test('Random numbers are between 0 and 1', () => {
  const numbers = Array.from({ length: 100 }, () => clock.random())
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
  expect(new Set(numbers).size).toBeGreaterThan(1)
})

test('Work under way delays nothing', () => {
  const work = clock.busy()
  work.end()
  expect(() => work[Symbol.dispose]()).not.toThrow()
})
