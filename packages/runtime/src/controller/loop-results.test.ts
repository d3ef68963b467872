import { HomeostatError } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { controllerRuntimeLimits } from '../queue/retry-limits.ts'
import { TerminalError } from '../reconcile/terminal-error.ts'
import { setUp, inTurn } from '../../test/loop-bench.ts'

function withCause(causeOf: (error: Error) => Error): Error {
  const error = new Error('broken')
  error.cause = causeOf(error)
  return error
}

function unreadable(property: string): Error {
  const get = (): never => {
    throw new Error('no')
  }
  return Object.defineProperty(new Error('broken'), property, { get })
}

describe('a reconcile that returns nothing, or {}', () => {
  test.each([undefined, {}])('is done and logged as such: %o', async (result) => {
    const { clock, loop, lines, reports, put } = setUp()
    const { times } = loop(() => result)
    put('a')
    await clock.advance('9h')
    expect(times()).toEqual([0])
    expect(lines.at(-1)).toMatchObject({
      level: 'info',
      message: 'successfully reconciled',
      controller: 'loop',
      namespace: 'default',
      name: 'a',
      reconcileID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      causes: 'ConfigMap default/a was created',
    })
    expect(reports).toMatchObject([{ controller: 'loop', result: 'success', duration: 0, next: undefined }])
  })
})

describe('a reconcile that throws', () => {
  test('is called again after 1 s, 2 s, 4 s … and at most five minutes, without jitter', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(new Error('broken')))
    put('a')
    await clock.advance('25m')
    const waits = times().map((at, index) => at - (times()[index - 1] ?? 0))
    expect(waits).toEqual([
      0, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000, 300_000,
    ])
  })

  test('is logged with the error, why it ran, and when it is tried again', async () => {
    const { clock, loop, lines, put } = setUp()
    loop(inTurn(new HomeostatError('BROKEN', 'the pipe is broken'), undefined))
    put('a')
    await clock.advance('1s')
    expect(lines.slice(1)).toMatchObject([
      {
        level: 'error',
        message: 'reconcile failed',
        error: { code: 'BROKEN', message: 'the pipe is broken' },
        retryIn: 1000,
        causes: 'ConfigMap default/a was created',
      },
      { message: 'successfully reconciled', causes: 'retry 1 after: the pipe is broken' },
    ])
  })

  test('begins at 1 s again after a success', async () => {
    const { clock, loop, put } = setUp()
    const broken = new Error('broken')
    const { times } = loop(inTurn(broken, broken, undefined, broken, undefined))
    put('a')
    await clock.advance('10s')
    expect(times()).toEqual([0, 1000, 3000])
    put('a')
    await clock.advance('10s')
    expect(times()).toEqual([0, 1000, 3000, 10_000, 11_000])
  })

  test('has a back-off of its own for each object', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(({ name }) => {
      if (name === 'bad') throw new Error('broken')
    })
    put('bad')
    await clock.advance(500)
    put('good')
    await clock.advance(600)
    expect(calls.map(({ at, name }) => `${at} ${name}`)).toEqual([
      '0 default/bad',
      '500 default/good',
      '1000 default/bad',
    ])
  })

  test('is called at once when something changes while it waits, and keeps its back-off', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(inTurn(new Error('broken')))
    put('a')
    await clock.advance(3500)
    put('a', { labels: { a: 'b' } })
    await clock.advance(10_000)
    expect(calls.map(({ at, why }) => `${at} ${why}`)).toEqual([
      '0 ConfigMap default/a was created',
      '1000 retry 1 after: broken',
      '3000 retry 2 after: broken',
      '3500 ConfigMap default/a was updated (labels)',
      '11500 retry 4 after: broken',
    ])
  })

  test('takes precedence over the requeueAfter that it meant to return', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(
      inTurn(Object.assign(new Error('broken'), { requeueAfter: '10m' }), { requeueAfter: '10m' }),
    )
    put('a')
    await clock.advance('10m')
    expect(times()).toEqual([0, 1000])
  })

  test.each([
    ['text', 'no error at all'],
    ['nothing', undefined],
    ['an object without a prototype', Object.create(null)],
    [
      'an object that cannot be shown',
      {
        toString: 1,
        toJSON: () => {
          throw new Error('no')
        },
      },
    ],
    ['an error that is its own cause', withCause((error) => error)],
    ['errors that are the cause of each other', withCause((error) => new Error('inner', { cause: error }))],
    ['an error whose cause cannot be read', unreadable('cause')],
    ['an error whose message cannot be read', unreadable('message')],
    ['an error whose message is not a text', Object.assign(new Error('x'), { message: { text: 'x' } })],
    ['an error whose stack cannot be read', unreadable('stack')],
  ])('does not take down the controller, whatever it throws: %s', async (_, thrown) => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(({ name }) => {
      if (name === 'bad') throw thrown
    })
    put('bad')
    put('good')
    await clock.advance('1s')
    expect(calls.map((call) => call.name)).toEqual(['default/bad', 'default/good', 'default/bad'])
  })

  test('does not take down the controller when it throws before its first await, or rejects after', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(async (_, { clock }) => {
      await clock.sleep(10)
      throw new Error('later')
    })
    put('a')
    await clock.advance(1100)
    expect(times()).toEqual([0, 1010])
  })

  test('follows other limits where they are given', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(new Error('broken')), { retries: controllerRuntimeLimits() })
    put('a')
    await clock.advance(100)
    expect(times()).toEqual([0, 5, 15, 35, 75])
  })
})

describe('a reconcile that returns requeueAfter', () => {
  test.each(['30s', '250ms', '10h'] as const)('is called again after exactly %s', async (requeueAfter) => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn({ requeueAfter }, undefined))
    put('a')
    await clock.advance(requeueAfter)
    const wait = { '30s': 30_000, '250ms': 250, '10h': 36_000_000 }[requeueAfter]
    expect(times()).toEqual([0, wait])
  })

  test('is called again after exactly that time also if it is months away', async () => {
    const { clock, loop, put } = setUp()
    const months = 90 * 24 * 3_600_000
    const { calls } = loop(inTurn({ requeueAfter: months + 1 }, undefined))
    put('a')
    await clock.advance(months)
    expect(calls).toHaveLength(1)
    await clock.advance(1)
    expect(calls[1]).toMatchObject({
      at: months + 1,
      why: `the last reconcile asked to be called again after ${(months + 1) / 1000}s`.replace('.001', ''),
    })
  })

  test('is called earlier when something changes, and what it then returns counts', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(inTurn({ requeueAfter: '10s' }, { requeueAfter: '60s' }, undefined))
    put('a')
    await clock.advance('4s')
    put('a', { labels: { a: 'b' } })
    await clock.advance('5m')
    expect(calls.map(({ at }) => at)).toEqual([0, 4000, 64_000])
    expect(calls[1]?.why).toBe('ConfigMap default/a was updated (labels)')
  })

  test('is not a failure: it resets the back-off', async () => {
    const { clock, loop, put } = setUp()
    const broken = new Error('broken')
    const { times } = loop(inTurn(broken, { requeueAfter: '5s' }, broken, undefined))
    put('a')
    await clock.advance('1m')
    expect(times()).toEqual([0, 1000, 6000, 7000])
  })
})

describe('a reconcile that returns { requeue: true }', () => {
  test('is called again at once, then after 5 ms, 10, 20 …', async () => {
    const { clock, loop, put } = setUp()
    const { calls, times } = loop(() => ({ requeue: true }))
    put('a')
    await clock.advance(160)
    expect(times()).toEqual([0, 0, 5, 15, 35, 75, 155])
    expect(calls[1]?.why).toBe('the last reconcile asked to be called again')
  })

  test('does not spin with requeueAfter: 0 either', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(() => ({ requeueAfter: 0 }))
    put('a')
    await clock.advance(40)
    expect(times()).toEqual([0, 0, 5, 15, 35])
  })

  test('begins at once again after a reconcile that did not ask for it', async () => {
    const { clock, loop, put } = setUp()
    const again = { requeue: true }
    const { times } = loop(inTurn(again, again, undefined, again, undefined))
    put('a')
    await clock.advance(1000)
    put('a')
    await clock.advance(1000)
    expect(times()).toEqual([0, 0, 5, 1000, 1000])
  })

  test('lets other objects have their turn', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(({ name }) => (name === 'greedy' ? { requeue: true } : undefined))
    put('greedy')
    put('modest')
    await clock.settle()
    expect(calls.map((call) => call.name)).toEqual(['default/greedy', 'default/modest', 'default/greedy'])
  })
})

describe('a reconcile that throws a TerminalError', () => {
  test('is logged and counted, and not called again until something changes', async () => {
    const { clock, loop, lines, metrics, put, reports } = setUp()
    const { times } = loop(inTurn(new TerminalError('the schedule is not a date')))
    put('a')
    await clock.advance('9h')
    expect(times()).toEqual([0])
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'reconcile failed permanently: it is not retried until something changes',
      error: { code: 'TERMINAL', message: 'the schedule is not a date' },
    })
    expect(metrics.page()).toContain(
      'controller_runtime_terminal_reconcile_errors_total{controller="loop"} 1',
    )
    expect(reports).toMatchObject([{ result: 'terminal', next: undefined }])
    put('a')
    await clock.settle()
    expect(times()).toHaveLength(2)
  })

  test('counts as one also where another error wraps it', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(new Error('cannot go on', { cause: new TerminalError('never') })))
    put('a')
    await clock.advance('9h')
    expect(times()).toEqual([0])
  })
})

describe('a reconcile that returns something else', () => {
  test.each([5, 'again', null, { requeueAfter: -1 }, { requeueAfter: Number.NaN }, { retryAfter: '5s' }])(
    'fails with an error that names the value, and is tried again like others: %o',
    async (result) => {
      const { clock, loop, lines, put } = setUp()
      const { times } = loop(inTurn(result, undefined))
      put('a')
      await clock.advance('10s')
      expect(times()).toEqual([0, 1000])
      expect(lines[1]).toMatchObject({
        error: { code: 'RESULT_INVALID', message: expect.stringContaining('it must return nothing') },
      })
    },
  )
})
