import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { setUp, inTurn } from '../../test/loop-bench.ts'

describe('reconciles at the same time', () => {
  test('are never two of one object; many events while it runs make one further reconcile', async () => {
    const { clock, loop, put } = setUp()
    let [running, most] = [0, 0]
    const { calls } = loop(
      async (_, { clock }) => {
        most = Math.max(most, ++running)
        await clock.sleep(100)
        running--
      },
      { maxConcurrentReconciles: 5 },
    )
    put('a')
    await clock.advance(50)
    for (let change = 0; change < 7; change++) put('a', { labels: { change: `${change}` } })
    await clock.advance('1m')
    expect(most).toBe(1)
    expect(calls.map(({ at, why }) => `${at} ${why}`)).toEqual([
      '0 ConfigMap default/a was created',
      '100 ConfigMap default/a was updated (labels) (7 times)',
    ])
  })

  test('are one by default, and up to maxConcurrentReconciles of different objects', async () => {
    for (const [workers, expected] of [
      [undefined, [0, 100, 200, 300]],
      [2, [0, 0, 100, 100]],
      [10, [0, 0, 0, 0]],
    ] as const) {
      const { clock, loop, put } = setUp()
      const { times } = loop((_, { clock }) => clock.sleep(100), { maxConcurrentReconciles: workers })
      for (const name of ['a', 'b', 'c', 'd']) put(name)
      await clock.advance('1s')
      expect(times()).toEqual(expected)
    }
  })

  test('many events for an object that waits make one reconcile, with all their causes', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop((_, { clock }) => clock.sleep(100))
    put('first')
    put('waits')
    put('waits', { labels: { a: 'b' } })
    put('waits', { labels: { a: 'b' }, annotations: { a: 'b' } })
    await clock.advance('1s')
    expect(calls[1]).toEqual({
      at: 100,
      name: 'default/waits',
      why: 'ConfigMap default/waits was created; ConfigMap default/waits was updated (labels); ConfigMap default/waits was updated (annotations)',
    })
    expect(calls).toHaveLength(2)
  })

  test('can be limited in how many start in a second; by default they are not', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(() => {}, { maxReconcilesPerSecond: 10 })
    for (const name of ['a', 'b', 'c']) put(name)
    await clock.advance('1s')
    expect(times()).toEqual([0, 100, 200])
  })
})

describe('storms', () => {
  test('become one reconcile where events are debounced, with all their causes', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(() => {}, { debounce: '1s' })
    await clock.settle()
    for (let change = 0; change < 5; change++) {
      put('a', { labels: { change: `${change}` } })
      await clock.advance('100ms')
    }
    await clock.advance('1m')
    expect(calls).toEqual([
      {
        at: 1000,
        name: 'default/a',
        why: 'ConfigMap default/a was created; ConfigMap default/a was updated (labels) (4 times)',
      },
    ])
  })

  test('are debounced without holding up retries or requeueAfter', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(new Error('broken'), { requeueAfter: '10ms' }, {}), { debounce: '1h' })
    await clock.settle()
    put('a')
    await clock.advance('2h')
    expect(times()).toEqual([3_600_000, 3_601_000, 3_601_010])
  })

  test('leave the shortest interval between two reconciles of one object', async () => {
    const { clock, loop, put } = setUp()
    const { calls } = loop(() => {}, { minInterval: '10s' })
    await clock.settle()
    for (let second = 0; second < 25; second++) {
      put('a', { labels: { second: `${second}` } })
      if (second === 3) put('b')
      await clock.advance('1s')
    }
    await clock.advance('1m')
    expect(calls.map(({ at, name }) => `${name} ${at}`)).toEqual([
      'default/a 0',
      'default/b 3000',
      'default/a 10000',
      'default/a 20000',
      'default/a 30000',
    ])
  })
})

describe('a reconcile that takes too long', () => {
  test('is aborted by its signal, and tried again like after any failure', async () => {
    const { clock, loop, lines, metrics, put } = setUp()
    const { times } = loop((_, { clock, signal }) => clock.sleep(3_600_000, { signal }), {
      reconcileTimeout: '10s',
    })
    put('a')
    await clock.advance('11s')
    expect(times()).toEqual([0, 11_000])
    expect(lines[1]).toMatchObject({
      message: 'reconcile failed',
      duration: 10_000,
      retryIn: 1000,
      error: { code: 'RECONCILE_TIMEOUT', message: expect.stringContaining('took longer than 10000 ms') },
    })
    expect(metrics.page()).toContain('controller_runtime_reconcile_timeouts_total{controller="loop"} 1')
  })

  test('is not aborted without a timeout', async () => {
    const { clock, loop, put, reports } = setUp()
    loop((_, { clock, signal }) => clock.sleep(3_600_000, { signal }))
    put('a')
    await clock.advance('1h')
    expect(reports).toMatchObject([{ result: 'success', duration: 3_600_000 }])
  })

  test('is given up if it still does not settle: its slot is freed, its object stays locked', async () => {
    const { clock, loop, lines, metrics, put, reports } = setUp()
    const { calls } = loop(({ name }) => (name === 'hangs' ? new Promise(() => {}) : undefined), {
      reconcileTimeout: '10s',
      abortGracePeriod: '2s',
    })
    put('hangs')
    put('waits')
    await clock.advance('1h')
    put('hangs')
    await clock.advance('1h')
    expect(calls.map(({ at, name }) => `${at} ${name}`)).toEqual(['0 default/hangs', '12000 default/waits'])
    expect(lines[1]).toMatchObject({
      level: 'error',
      message: 'reconcile was given up',
      name: 'hangs',
      error: { code: 'RECONCILE_ABANDONED', message: expect.stringContaining("pass the context's signal") },
    })
    expect(reports[0]).toMatchObject({ result: 'abandoned', duration: 12_000 })
    expect(metrics.page()).toContain('homeostat_abandoned_reconciles{controller="loop"} 1')
  })

  test('cannot write after it was given up', async () => {
    const { clock, loop, put, writes } = setUp()
    const refused: unknown[] = []
    loop(
      async (_, { client, clock }) => {
        await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'in-time' } })
        await clock.sleep(60_000)
        await client
          .create(ConfigMap, { metadata: { namespace: 'default', name: 'too-late' } })
          .catch((error) => {
            refused.push(error)
          })
      },
      { reconcileTimeout: '10s' },
    )
    put('a')
    await clock.advance('60s')
    expect(writes).toEqual(['create'])
    expect(refused).toMatchObject([{ code: 'RECONCILE_ABANDONED' }])
  })

  test('is tried again once it has settled after all', async () => {
    const { clock, loop, metrics, put } = setUp()
    let first = true
    const { calls } = loop(
      async (_, { clock }) => {
        if (!first) return
        first = false
        await clock.sleep(60_000)
      },
      { reconcileTimeout: '10s' },
    )
    put('a')
    await clock.advance('2m')
    expect(calls.map(({ at, why }) => `${at} ${why}`)).toEqual([
      '0 ConfigMap default/a was created',
      '61000 retry 1 after: the last reconcile was given up',
    ])
    expect(metrics.page()).toContain('homeostat_abandoned_reconciles{controller="loop"} 0')
  })
})
