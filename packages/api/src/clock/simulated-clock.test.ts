import { execFile } from 'node:child_process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { SimulatedClock } from './simulated-clock.ts'

const DAY = 86_400_000

describe('Time', () => {
  test('starts at the given time, and does not move by itself', async () => {
    const clock = new SimulatedClock({ start: '2026-03-01T00:00:00Z' })
    await clock.settle()
    expect(new Date(clock.now()).toISOString()).toBe('2026-03-01T00:00:00.000Z')
    expect(clock.monotonic()).toBe(0)
  })

  test('moves as far as it is advanced, in whole milliseconds', async () => {
    const clock = new SimulatedClock()
    const start = clock.now()
    await clock.advance('5m')
    await clock.advance(1.5)
    expect(clock.now() - start).toBe(300_002)
    expect(clock.monotonic()).toBe(300_002)
  })

  test('on the wall can jump, without an effect on timers', async () => {
    const clock = new SimulatedClock()
    const fired: number[] = []
    clock.schedule(1_000, () => fired.push(clock.monotonic()))
    clock.jumpTo('2030-01-01T00:00:00Z')
    await clock.settle()
    expect(fired).toEqual([])
    await clock.advance('1s')
    expect(fired).toEqual([1_000])
    expect(new Date(clock.now()).toISOString()).toBe('2030-01-01T00:00:01.000Z')
  })

  test('that does not parse is refused', () => {
    expect(() => new SimulatedClock({ start: 'noon' })).toThrow(/'noon' is not a time/)
    expect(() => new SimulatedClock().jumpTo('later')).toThrow(/'later' is not a time/)
  })
})

describe('Timers', () => {
  test('fire at their own time, in the order of their time and then of their creation', async () => {
    const clock = new SimulatedClock()
    const fired: string[] = []
    const at = (delay: number, name: string): unknown =>
      clock.schedule(delay, () => fired.push(`${name} at ${clock.monotonic()}`))
    at(20, 'c')
    at(10, 'a')
    at(20, 'd')
    at(10, 'b')
    at(31, 'e')
    await clock.advance(30)
    expect(fired).toEqual(['a at 10', 'b at 10', 'c at 20', 'd at 20'])
    expect(clock.nextDue()).toBe(1)
  })

  test('set by a timer fire in the same advance, where they are due in it', async () => {
    const clock = new SimulatedClock()
    const fired: number[] = []
    const tick = (): void => {
      fired.push(clock.monotonic())
      clock.schedule(10, tick)
    }
    clock.schedule(10, tick)
    await clock.advance(35)
    expect(fired).toEqual([10, 20, 30])
  })

  test('wait for promises that an earlier one set off', async () => {
    const clock = new SimulatedClock()
    const seen: string[] = []
    clock.schedule(10, () => {
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => seen.push(`first ends at ${clock.monotonic()}`))
    })
    clock.schedule(10.001, () => seen.push('second'))
    await clock.advance(11)
    expect(seen).toEqual(['first ends at 10', 'second'])
  })

  test('due now, or in the past, fire when things settle, and not before', async () => {
    const clock = new SimulatedClock()
    let fired = 0
    clock.schedule(0, () => fired++)
    clock.schedule(-5, () => fired++)
    expect(fired).toBe(0)
    await clock.settle()
    expect(fired).toBe(2)
    expect(clock.monotonic()).toBe(0)
  })

  test('can be months away', async () => {
    const clock = new SimulatedClock()
    const fired: number[] = []
    clock.schedule(60 * DAY, () => fired.push(clock.monotonic()))
    await clock.advance(60 * DAY - 1)
    expect(fired).toEqual([])
    await clock.advance(1)
    expect(fired).toEqual([60 * DAY])
  })

  test('that are cancelled, or disposed of, do not fire; doing it twice does nothing', async () => {
    const clock = new SimulatedClock()
    let fired = 0
    const cancelled = clock.schedule(1, () => fired++)
    cancelled.cancel()
    cancelled.cancel()
    {
      using _disposed = clock.schedule(1, () => fired++)
    }
    const late = clock.schedule(1, () => late.cancel())
    await clock.advance(2)
    expect(fired).toBe(0)
    expect(clock.nextDue()).toBeUndefined()
  })

  test('for NaN milliseconds are refused, since they would never be due', async () => {
    const clock = new SimulatedClock()
    expect(() => clock.schedule(Number.NaN, () => {})).toThrow(/NaN milliseconds/)
    await expect(clock.sleep(Number.NaN)).rejects.toMatchObject({ code: 'DURATION_INVALID' })
  })

  test('that throw fail the advance that they fired in', async () => {
    const clock = new SimulatedClock()
    clock.schedule(1, () => {
      throw new Error('boom')
    })
    await expect(clock.advance(1)).rejects.toThrow('boom')
  })
})

describe('A sleep', () => {
  test('ends after its time', async () => {
    const clock = new SimulatedClock()
    let awake = false
    void clock.sleep(1_000).then(() => (awake = true))
    await clock.advance(999)
    expect(awake).toBe(false)
    await clock.advance(1)
    expect(awake).toBe(true)
  })

  test('ends with the reason of its signal, at once, and leaves no timer', async () => {
    const clock = new SimulatedClock()
    const abort = new AbortController()
    const sleep = clock.sleep(1_000, { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(sleep).rejects.toThrow('enough')
    expect(clock.nextDue()).toBeUndefined()
  })

  test('does not begin where its signal has aborted already', async () => {
    const clock = new SimulatedClock()
    await expect(clock.sleep(1, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
    expect(clock.nextDue()).toBeUndefined()
  })

  test('that has ended no longer listens to its signal', async () => {
    const clock = new SimulatedClock()
    const abort = new AbortController()
    const sleep = clock.sleep(1, { signal: abort.signal })
    await clock.advance(1)
    abort.abort()
    await expect(sleep).resolves.toBeUndefined()
  })
})

describe('Work under way', () => {
  /** Resolves after a few turns of the event loop, as I/O does. */
  async function io(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  test('holds time until it has ended', async () => {
    const clock = new SimulatedClock()
    const seen: string[] = []
    clock.schedule(10, () => {
      const work = clock.busy('a request')
      void io()
        .then(() => seen.push(`answer at ${clock.monotonic()}`))
        .finally(() => work.end())
    })
    clock.schedule(20, () => seen.push('later'))
    await clock.advance(30)
    expect(seen).toEqual(['answer at 10', 'later'])
  })

  test('that begins when other work ends is waited for too', async () => {
    const clock = new SimulatedClock()
    let done = false
    const chain = async (): Promise<void> => {
      for (let step = 0; step < 3; step++) {
        using _work = clock.busy(`step ${step}`)
        await io()
      }
      done = true
    }
    void chain()
    await clock.settle()
    expect(done).toBe(true)
  })

  test('that waits for another process lets the event loop pause', async () => {
    const turns = vi.spyOn(globalThis, 'setImmediate')
    onTestFinished(() => turns.mockRestore())
    const clock = new SimulatedClock()
    const work = clock.busy('a process')
    execFile(process.execPath, ['-e', ''], () => work.end())
    const started = performance.now()
    await clock.settle()
    // At most one a millisecond, after those that are given without a pause.
    expect(turns.mock.calls.length).toBeLessThan(100 + performance.now() - started)
  })

  test('can be ended twice, and counts separately from other work of the same name', async () => {
    const clock = new SimulatedClock({ stuckAfter: 0 })
    const one = clock.busy('same')
    const two = clock.busy('same')
    one.end()
    one.end()
    await expect(clock.settle()).rejects.toMatchObject({ code: 'CLOCK_STUCK' })
    two.end()
    await expect(clock.settle()).resolves.toBeUndefined()
  })

  test('that never ends is an error with its name', async () => {
    const clock = new SimulatedClock({ stuckAfter: '10ms' })
    clock.busy('the reconcile of a')
    clock.busy('the reconcile of a')
    clock.busy('GET /api')
    await expect(clock.advance('1s')).rejects.toThrow(
      /still under way are the reconcile of a, GET \/api\. .*sleep with the clock of the reconcile or the webhook, await context\.clock\.sleep/,
    )
    expect(clock.monotonic()).toBe(0)
  })
})

describe('Work that pauses', () => {
  /** Whether simulated time moves by a second. */
  async function moves(clock: SimulatedClock): Promise<boolean> {
    const before = clock.monotonic()
    await clock.advance('1s').catch(() => {})
    return clock.monotonic() > before
  }

  const start = (): SimulatedClock => new SimulatedClock({ stuckAfter: '0ms' })

  test('lets time move until its last pause is over', async () => {
    const clock = start()
    const work = clock.busy('a')
    const [one, two] = [work.pause(), work.pause()]
    expect(await moves(clock)).toBe(true)
    one[Symbol.dispose]()
    one[Symbol.dispose]()
    expect(await moves(clock)).toBe(true)
    two[Symbol.dispose]()
    expect(await moves(clock)).toBe(false)
  })

  test('pauses a whole chain, and resumes it when the last of it ends', async () => {
    const clock = start()
    const request = clock.busy('a request')
    const call = clock.busy('a call', request)
    const webhook = clock.busy('a webhook', call)
    const pause = webhook.pause()
    expect(await moves(clock)).toBe(true)
    webhook.end()
    expect(await moves(clock)).toBe(false)
    pause[Symbol.dispose]()
    call.end()
    expect(await moves(clock)).toBe(false)
    request.end()
    expect(await moves(clock)).toBe(true)
  })

  test('does not let other work pause', async () => {
    const clock = start()
    clock.busy('a').pause()
    clock.busy('b')
    expect(await moves(clock)).toBe(false)
  })

  test('cannot pause any more once it has ended', async () => {
    const clock = start()
    const request = clock.busy('a request')
    const webhook = clock.busy('a webhook', request)
    webhook.end()
    webhook.pause()
    expect(await moves(clock)).toBe(false)
  })
})

describe('Driving', () => {
  test('ends with the reason of its signal, and time does not move', async () => {
    const clock = new SimulatedClock()
    const abort = new AbortController()
    clock.schedule(1_000, () => abort.abort(new Error('enough')))
    await expect(clock.advance('1h', { signal: abort.signal })).rejects.toThrow('enough')
    expect(clock.monotonic()).toBe(1_000)
  })
})

describe('Chance', () => {
  test('is the same for the same seed, and different for another seed', () => {
    const draw = (seed?: number): number[] => {
      const clock = new SimulatedClock({ seed })
      return Array.from({ length: 5 }, () => clock.random())
    }
    expect(draw(7)).toEqual(draw(7))
    expect(draw()).toEqual(draw(1))
    expect(draw(7)).not.toEqual(draw(8))
  })

  test('lies between 0 and 1, evenly', () => {
    const clock = new SimulatedClock()
    const numbers = Array.from({ length: 10_000 }, () => clock.random())
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    expect(mean).toBeCloseTo(0.5, 1)
  })
})
