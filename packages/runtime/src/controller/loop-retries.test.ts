import { type Status } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../requests/api-error.ts'
import { setUp, inTurn } from '../../test/loop-bench.ts'

function conflict(causes: Status['details'] = {}, reason = 'Conflict'): ApiError {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 409,
    reason,
    message: 'the object has been modified',
    details: { name: 'a', ...causes },
  }
  return new ApiError(status, { verb: 'update', kind: ConfigMap, key: { namespace: 'default', name: 'a' } })
}

describe('a write that lost a race', () => {
  test('is retried after 5, 10, 20, 40 and 80 ms, then it is an error like others', async () => {
    const { clock, loop, lines, put, reports } = setUp()
    const { times } = loop(inTurn(conflict()))
    put('a')
    await clock.advance(155 + 1000 + 2000)
    const waits = times().map((at, index) => at - (times()[index - 1] ?? 0))
    expect(waits).toEqual([0, 5, 10, 20, 40, 80, 1000, 2000])
    expect(reports.map(({ result }) => result)).toEqual([
      ...Array.from({ length: 5 }, () => 'conflict'),
      'error',
      'error',
      'error',
    ])
    expect(lines[1]).toMatchObject({
      level: 'info',
      message: 'reconcile lost a race; retrying',
      retryIn: 5,
    })
  })

  test('is not a failure: it is not counted as one', async () => {
    const { clock, loop, metrics, put } = setUp()
    const { calls } = loop(inTurn(conflict(), undefined))
    put('a')
    await clock.advance(5)
    expect(calls[1]?.why).toMatch(/^retry 1 after a lost race: update of configmaps default\/a failed/)
    expect(metrics.page()).toContain('controller_runtime_reconcile_errors_total{controller="loop"} 0')
  })

  test('is recognised where another error wraps it', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(new Error('cannot save', { cause: conflict() }), undefined))
    put('a')
    await clock.advance('1m')
    expect(times()).toEqual([0, 5])
  })

  test('has all its quick retries again after a success', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(conflict(), conflict(), undefined, conflict(), undefined))
    put('a')
    await clock.advance(1000)
    put('a')
    await clock.advance(1000)
    expect(times()).toEqual([0, 5, 15, 1000, 1005])
  })

  test.each([
    ['AlreadyExists', conflict({}, 'AlreadyExists')],
    [
      'a contested apply',
      conflict({ causes: [{ reason: 'FieldManagerConflict', field: '.spec.replicas' }] }),
    ],
  ])('is something else than %s, which is an error', async (_, error) => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(error, undefined))
    put('a')
    await clock.advance('1m')
    expect(times()).toEqual([0, 1000])
  })
})

describe('retries over all objects', () => {
  test('are held to 10 a second with a burst of 100', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(...Array.from({ length: 120 }, () => new Error('broken')), undefined))
    for (let index = 0; index < 120; index++) put(`object-${index}`)
    await clock.advance('1m')
    const retries = times().slice(120)
    expect(retries).toHaveLength(120)
    expect(retries.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 1000))
    expect(retries.slice(100)).toEqual(Array.from({ length: 20 }, (_, index) => 1100 + 100 * index))
  })

  test('delay neither objects that change meanwhile, nor requeueAfter', async () => {
    const { clock, loop, put } = setUp()
    const failing = Array.from({ length: 3 }, () => new Error('broken'))
    const { calls } = loop(inTurn(...failing, undefined), { retries: { rate: 0.1, burst: 1 } })
    for (const name of ['a', 'b', 'c']) put(name)
    await clock.advance('2s')
    put('c', { labels: { a: 'b' } })
    await clock.advance('1m')
    expect(calls.slice(3).map(({ at, name }) => `${at} ${name}`)).toEqual([
      '1000 default/a',
      '2000 default/c',
      '11000 default/b',
    ])
  })
})

describe('a request that is slowed down while it is reconciled', () => {
  test('waits longer and longer for the next event, and other objects do not wait', async () => {
    const { clock, loop, put, clients } = setUp()
    let version = 0
    const { calls } = loop(({ name }, context) => {
      if (name !== 'a' || version > 5) return
      // Two slowdowns in one run count as one.
      void context.client
      clients.at(-1)?.slowDown?.()
      clients.at(-1)?.slowDown?.()
      put('a', { labels: { version: `${version++}` } })
    })
    await clock.settle()
    put('a')
    await clock.advance('10s')
    put('b')
    await clock.settle()
    expect(calls.map(({ at, name }) => `${name} at ${at}`)).toEqual([
      'default/a at 0',
      'default/a at 1000',
      'default/a at 3000',
      'default/a at 7000',
      'default/b at 10000',
    ])
  })

  test('also waits where the event came before the slowdown, and keeps its causes', async () => {
    const { clock, loop, put, clients } = setUp()
    const { calls } = loop((_, context) => {
      if (calls.length > 1) return
      put('a', { labels: { by: 'itself' } })
      void context.client
      clients.at(-1)?.slowDown?.()
    })
    await clock.settle()
    put('a')
    await clock.advance('10s')
    expect(calls).toEqual([
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was created' },
      { at: 1000, name: 'default/a', why: 'ConfigMap default/a was updated (labels)' },
    ])
  })

  test('is retried at the time that its error asks for, and called again after its requeueAfter', async () => {
    const { clock, loop, put, clients } = setUp()
    const results = inTurn(conflict(), { requeueAfter: 200 }, undefined)
    const { times } = loop((_, context) => {
      void context.client
      for (let time = 0; time < 3; time++) clients.at(-1)?.slowDown?.()
      return results()
    })
    await clock.settle()
    put('a')
    await clock.advance('10s')
    expect(times()).toEqual([0, 5, 205])
  })
})
