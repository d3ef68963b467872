import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { configMap, failure, plain, ScriptedApi, ScriptedStream, Widget } from '../../test/scripted-api.ts'
import { listedStream, watch } from '../../test/watched-kind.ts'

describe('a kind that is not served', () => {
  it('W9: is reported once, requested every second, and listed when it appears', async () => {
    const api = new ScriptedApi().otherwise(plain('404 page not found', 404))
    const { clock, told } = watch(api, { kind: Widget })
    await clock.advance('5s')
    expect(told()).toEqual(['missing'])
    expect(api.requests).toHaveLength(6)
    api.next(listedStream().answer())
    await clock.advance('1s')
    expect(told()).toEqual(['missing', 'listed a @10'])
  })

  it('W9: is waited for when it vanishes later, and then listed again', async () => {
    const api = new ScriptedApi()
      .next(listedStream().event('MODIFIED', configMap('a', '12')).end().answer())
      .next(failure(404, 'NotFound', {}))
      .next(listedStream().answer())
    const { clock, told } = watch(api, { kind: Widget })
    await clock.advance('1s')
    expect(told()).toEqual(['listed a @10', 'modified a @12', 'missing', 'listed a @10'])
  })
})

describe('failures', () => {
  it('W12: of permission are reported with the missing rule, and retried', async () => {
    const forbidden = failure(
      403,
      'Forbidden',
      { kind: 'configmaps' },
      {},
      'configmaps is forbidden: User "x" cannot watch',
    )
    const api = new ScriptedApi().next(forbidden).next(forbidden).next(listedStream().answer())
    const { clock, told, deltas } = watch(api)
    await clock.advance('10s')
    expect(told()).toEqual(['failed', 'failed', 'listed a @10'])
    expect(deltas[0]).toMatchObject({
      error: { code: 'API_FORBIDDEN', message: expect.stringContaining('Grant watch on configmaps') },
    })
  })

  it('W6: are followed by 800 ms, doubled up to 30 s, and a random part of up to as much again', async () => {
    const times: number[] = []
    const clock = new SimulatedClock()
    const api = new ScriptedApi().otherwise(() => {
      times.push(clock.monotonic())
      return failure(500, 'InternalError')
    })
    watch(api, { clock })
    await clock.advance('5m')
    const pauses = times.slice(1).map((time, index) => time - times[index]!)
    for (const [index, pause] of pauses.entries()) {
      const base = Math.min(800 * 2 ** index, 30_000)
      expect(pause).toBeGreaterThanOrEqual(base)
      expect(pause).toBeLessThan(2 * base)
    }
    expect(pauses.length).toBeGreaterThan(8)
  })

  it('W6: start from 800 ms again once a stream lasted for ten seconds', async () => {
    for (const [stood, requests] of [
      ['9s', 6],
      ['10s', 7],
    ] as const) {
      const api = new ScriptedApi()
      for (let i = 0; i < 5; i++) api.next(failure(500, 'InternalError'))
      const stream = listedStream()
      api.next(stream.answer()).next(new ScriptedStream().answer())
      const { clock, told } = watch(api)
      while (!told().includes('listed a @10')) await clock.advance('100ms')
      await clock.advance(stood)
      stream.fail(new Error('reset'))
      await clock.advance('2s')
      expect(api.requests).toHaveLength(requests)
    }
  })

  it('W6: respect a longer wait that the server asks for', async () => {
    const api = new ScriptedApi()
      .next(failure(429, 'TooManyRequests', { retryAfterSeconds: 20 }))
      .next(listedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('19s')
    expect(told()).toEqual(['failed'])
    await clock.advance('1s')
    expect(told()).toEqual(['failed', 'listed a @10'])
  })

  it.each([
    [1e9, '10m'],
    ['soon', '801ms'],
    [-1, '801ms'],
  ] as const)('W6: do not respect an endless wait: %j', async (retryAfterSeconds, wait) => {
    const api = new ScriptedApi()
      .next(failure(429, 'TooManyRequests', { retryAfterSeconds }))
      .next(listedStream().answer())
    const { clock, told } = watch(api)
    await clock.advance('799ms')
    expect(told()).toEqual(['failed'])
    await clock.advance(wait)
    expect(told()).toEqual(['failed', 'listed a @10'])
  })
})

describe('abort', () => {
  it('W11: while a stream is open ends it without an error and closes the stream', async () => {
    const stream = listedStream().bookmark('20')
    const { clock, abort, done } = watch(new ScriptedApi().next(stream.answer()))
    await clock.settle()
    abort.abort()
    await done
    expect(clock.nextDue()).toBeUndefined()
    stream.text('x')
    await clock.settle()
    expect(stream.closed).toBe(true)
  })

  it('W11: while it waits after a failure ends it and its timer', async () => {
    const { clock, abort, done } = watch(new ScriptedApi().next(failure(500, 'InternalError')))
    await clock.settle()
    abort.abort()
    await done
    expect(clock.nextDue()).toBeUndefined()
  })

  it('W11: while a request is under way ends it', async () => {
    const clock = new SimulatedClock()
    const { abort, done } = watch(
      new ScriptedApi().next(() => new Promise(() => {})),
      { clock },
    )
    abort.abort()
    await done
    expect(clock.nextDue()).toBeUndefined()
  })

  it('W11: before the start sends no request', async () => {
    const api = new ScriptedApi()
    const aborted = AbortSignal.abort()
    const { done } = watch(api, { signal: aborted })
    await done
    expect(api.requests).toEqual([])
  })
})
