import { describe, expect, test } from 'vitest'
import { RetryBackOff } from './retry-back-off.ts'
import { controllerRuntimeLimits, resolveRetryLimits, type RetryLimits } from './retry-limits.ts'
import { TokenBucket } from './token-bucket.ts'

function backOff(limits?: RetryLimits): RetryBackOff {
  return new RetryBackOff(resolveRetryLimits(limits))
}

function times<R>(count: number, call: () => R): R[] {
  return Array.from({ length: count }, call)
}

describe('failures', () => {
  test('Q18: they wait 1 s, 2 s, 4 s … and never more than five minutes', () => {
    const retries = backOff()
    expect(times(11, () => retries.failed('a').wait)).toEqual([
      1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000,
    ])
  })

  test('Q18: even the ten-thousandth failure waits five minutes', () => {
    const retries = backOff()
    expect(times(10_000, () => retries.failed('a').wait).at(-1)).toBe(300_000)
  })

  test('Q18: each key has its own count, and the attempt is the number of the next retry', () => {
    const retries = backOff()
    retries.failed('a')
    expect(retries.failed('a')).toEqual({ wait: 2000, attempt: 2 })
    expect(retries.failed('b')).toEqual({ wait: 1000, attempt: 1 })
  })
})

describe('lost races', () => {
  test('Q19: they wait 5, 10, 20, 40 and 80 ms, then they count as failures', () => {
    const retries = backOff()
    expect(times(6, () => retries.lostRace('a')?.wait)).toEqual([5, 10, 20, 40, 80, undefined])
    expect(retries.failed('a').wait).toBe(1000)
  })

  test('Q21: a success makes the next lost race the first again', () => {
    const retries = backOff()
    times(6, () => retries.lostRace('a'))
    retries.forget('a')
    expect(retries.lostRace('a')?.wait).toBe(5)
  })
})

describe('requeues', () => {
  test('Q20: the first is at once, then they wait 5, 10, 20 ms …, at most max', () => {
    const retries = backOff({ max: '5s' })
    expect(times(5, () => retries.requeued('a'))).toEqual([0, 5, 10, 20, 40])
    expect(times(20, () => retries.requeued('a')).at(-1)).toBe(5000)
  })

  test('Q21: a requeue is a success: it resets failures; a failure resets requeues', () => {
    const retries = backOff()
    times(3, () => retries.failed('a'))
    expect(retries.requeued('a')).toBe(0)
    expect(retries.requeued('a')).toBe(5)
    expect(retries.failed('a').wait).toBe(1000)
    expect(retries.requeued('a')).toBe(0)
  })
})

describe('limits', () => {
  test('Q5: keys that succeeded are forgotten', () => {
    const retries = backOff()
    for (const key of ['a', 'b', 'c']) {
      retries.failed(key)
      retries.forget(key)
    }
    expect(retries.size).toBe(0)
  })

  test('Q23: the limits of controller-runtime go from 5 ms to 1000 s and treat lost races as failures', () => {
    const retries = backOff(controllerRuntimeLimits())
    expect(times(4, () => retries.failed('a').wait)).toEqual([5, 10, 20, 40])
    expect(times(40, () => retries.failed('a').wait).at(-1)).toBe(1_000_000)
    expect(retries.lostRace('a')).toBeUndefined()
  })

  test.each([
    [{ base: 0 }, 'base'],
    [{ base: '10m' }, 'max'],
    [{ conflicts: 1.5 }, 'conflicts'],
    [{ rate: 0 }, 'rate'],
    [{ burst: 0 }, 'burst'],
  ] satisfies [RetryLimits, string][])('invalid limits are refused by name: %o', (limits, name) => {
    expect(() => resolveRetryLimits(limits)).toThrow(`"${name}"`)
  })

  test('Q22: a bucket lets a burst pass, then one each tenth of a second, and fills up again', () => {
    const bucket = new TokenBucket({ rate: 10, burst: 100 })
    expect(times(103, () => bucket.take(0)).slice(-4)).toEqual([0, 100, 200, 300])
    expect(bucket.take(400)).toBe(0)
    expect(times(101, () => bucket.take(60_000)).slice(-2)).toEqual([0, 100])
  })
})
