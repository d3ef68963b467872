import { HomeostatError } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { setUp, inTurn } from '../../test/loop-bench.ts'

describe('the context of a reconcile', () => {
  test("has a client with the controller's name, the reconcile's signal and its logger", async () => {
    const { clock, clients, loop, put } = setUp()
    const signals: AbortSignal[] = []
    loop((_, { client, signal }) => {
      void client
      signals.push(signal)
    })
    put('a')
    await clock.settle()
    expect(clients.at(-1)).toMatchObject({ fieldManager: 'loop' })
    expect(clients.at(-1)?.signal).toBe(signals[0])
  })

  test('has another id for each reconcile, which stands in its log lines', async () => {
    const { clock, lines, loop, put } = setUp()
    const ids: string[] = []
    loop((_, { log, reconcileID }) => {
      ids.push(reconcileID)
      log.info('at work')
    })
    put('a')
    put('b')
    await clock.settle()
    expect(new Set(ids).size).toBe(2)
    expect(lines.filter((line) => line['message'] === 'at work')).toMatchObject([
      { controller: 'loop', name: 'a', reconcileID: ids[0] },
      { controller: 'loop', name: 'b', reconcileID: ids[1] },
    ])
  })

  test('does not hold time up while the reconcile sleeps by its clock', async () => {
    const { clock, loop, put, reports } = setUp()
    loop((_, { clock }) => clock.sleep(5000))
    put('a')
    await clock.advance('5s')
    expect(reports).toMatchObject([{ result: 'success', duration: 5000 }])
  })

  test('holds time up while the reconcile works outside of it', async () => {
    const { clock, loop, put, reports } = setUp()
    loop(async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    })
    put('a')
    await clock.settle()
    expect(reports).toHaveLength(1)
  })
})

describe('numbers', () => {
  test('stand under the names that dashboards know', async () => {
    const { clock, loop, metrics, put } = setUp()
    loop(inTurn(new Error('x'), { requeue: true }, { requeueAfter: '1h' }), { maxConcurrentReconciles: 3 })
    put('a')
    await clock.advance('10s')
    const page = metrics.page()
    for (const line of [
      'controller_runtime_reconcile_total{controller="loop",result="error"} 1',
      'controller_runtime_reconcile_total{controller="loop",result="requeue"} 1',
      'controller_runtime_reconcile_total{controller="loop",result="requeue_after"} 1',
      'controller_runtime_reconcile_total{controller="loop",result="success"} 0',
      'controller_runtime_reconcile_errors_total{controller="loop"} 1',
      'controller_runtime_max_concurrent_reconciles{controller="loop"} 3',
      'controller_runtime_active_workers{controller="loop"} 0',
      'controller_runtime_reconcile_time_seconds_count{controller="loop"} 3',
      'workqueue_adds_total{controller="loop",name="loop"} 4',
      'workqueue_retries_total{controller="loop",name="loop"} 1',
      'workqueue_depth{controller="loop",name="loop",priority="0"} 0',
      'workqueue_queue_duration_seconds_count{controller="loop",name="loop"} 3',
      'workqueue_work_duration_seconds_count{controller="loop",name="loop"} 3',
      'workqueue_unfinished_work_seconds{controller="loop",name="loop"} 0',
      'workqueue_longest_running_processor_seconds{controller="loop",name="loop"} 0',
    ]) {
      expect(page).toContain(`${line}\n`)
    }
  })
})

describe('the metric of panics', () => {
  test('counts a reconcile with a bug in its code separately from one that failed', async () => {
    const { clock, loop, metrics, put } = setUp()
    loop(inTurn(new TypeError('x is not a function'), new Error('no answer'), undefined))
    put('a')
    await clock.advance('10s')
    expect(metrics.page()).toContain('controller_runtime_reconcile_panics_total{controller="loop"} 1\n')
    expect(metrics.page()).toContain('controller_runtime_reconcile_errors_total{controller="loop"} 2\n')
  })
})

describe('the end', () => {
  test('lets a running reconcile finish and starts no other', async () => {
    const { cache, clock, loop, put, reports } = setUp()
    const { calls, running } = loop((_, { clock }) => clock.sleep(10_000))
    put('a')
    put('b')
    await clock.advance('1s')
    let drained = false
    const end = running.drain().then(() => (drained = true))
    await clock.advance('8s')
    expect(drained).toBe(false)
    await clock.advance('1s')
    await end
    expect(calls.map((call) => call.name)).toEqual(['default/a'])
    expect(reports).toMatchObject([{ result: 'success' }])
    expect(cache.listeners(ConfigMap)).toBe(0)
    expect(clock.nextDue()).toBeUndefined()
  })

  test('aborts the signal of a reconcile that does not end, and abandons it if that does not help', async () => {
    const { clock, loop, put } = setUp()
    const aborted: unknown[] = []
    const { running } = loop(
      (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason))
        return new Promise(() => {})
      },
      { reconcileTimeout: '1h' },
    )
    put('a')
    await clock.settle()
    const end = running.drain()
    running.abort(new HomeostatError('MANAGER_STOPPED', 'enough'))
    await clock.settle()
    await end
    expect(aborted).toMatchObject([{ code: 'MANAGER_STOPPED' }])
    expect(clock.nextDue()).toBeUndefined()
  })

  test('comes also while the first list is awaited', async () => {
    const { cache, clock, loop } = setUp()
    cache.holdList(ConfigMap)
    const { running, calls } = loop(() => {})
    await clock.settle()
    await running.drain()
    expect(calls).toEqual([])
    expect(clock.nextDue()).toBeUndefined()
  })
})
