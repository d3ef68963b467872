import { HomeostatError, SimulatedClock, type ObjectKey, type Status } from '@homeostat/api'
import { ConfigMap, Deployment, Namespace, Secret } from '@homeostat/api/kinds'
import { afterEach, describe, expect, test } from 'vitest'
import { ApiError } from '../requests/api-error.ts'
import type { Client } from '../client/client.ts'
import { forObject } from '../handler/for-object.ts'
import { generationChanged } from '../predicate/changed.ts'
import { controllerRuntimeLimits } from '../queue/retry-limits.ts'
import type { ReconcileContext } from '../reconcile/context.ts'
import { describeCauses } from '../reconcile/describe-cause.ts'
import type { Result } from '../reconcile/result.ts'
import { TerminalError } from '../reconcile/terminal-error.ts'
import { Channel } from '../source/channel.ts'
import { every } from '../source/every.ts'
import { createLogger } from '../telemetry/create-logger.ts'
import { MetricsRegistry } from '../telemetry/metrics.ts'
import { controller } from './builder.ts'
import type { Controller, ControllerOptions } from './controller.ts'
import type { ReconcileCaller, ReconcileReport } from './environment.ts'
import { HandFedCache } from '../../test/hand-fed-cache.ts'
import { MountedController } from './mounted-controller.ts'

type Reconciler = (request: ObjectKey, context: ReconcileContext) => Result | Promise<Result>

const mounted: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of mounted.splice(0)) await each.stop()
})

function setUp() {
  const clock = new SimulatedClock()
  const cache = new HandFedCache()
  const metrics = new MetricsRegistry()
  const lines: Record<string, any>[] = []
  const reports: ReconcileReport[] = []
  const logger = createLogger({ format: 'json', clock, write: (line) => lines.push(JSON.parse(line)) })
  const writes: string[] = []
  const clients: ReconcileCaller[] = []
  const client = (options: ReconcileCaller): Client => {
    clients.push(options)
    const write = async (what: string): Promise<void> => {
      options.beforeWrite?.()
      writes.push(what)
    }
    const list = (kind: any): Promise<unknown> => Promise.resolve(cache.informer(kind).list())
    return { create: () => write('create'), list } as unknown as Client
  }

  function mount(value: Controller): MountedController {
    const events = { normal() {}, warning() {} }
    const running = new MountedController(value, {
      cache,
      clock,
      logger,
      metrics,
      client,
      events: () => events,
      onReconcile: (report) => reports.push(report),
    })
    const run = running.run()
    mounted.push({
      async stop() {
        const drained = running.drain()
        running.abort(new HomeostatError('TEST_OVER', 'the test is over'))
        await clock.settle()
        await drained
        await run
      },
    })
    return running
  }

  /** Mounts a controller for ConfigMaps whose calls are noted with their time. */
  function loop(reconcile: Reconciler, options: ControllerOptions = {}) {
    const calls: { at: number; name: string; why: string }[] = []
    const value = controller('loop')
      .for(ConfigMap)
      .owns(Deployment)
      .reconcile((request, context) => {
        const name = request.namespace ? `${request.namespace}/${request.name}` : request.name
        calls.push({ at: clock.monotonic(), name, why: describeCauses(context.causes) })
        return reconcile(request, context)
      }, options)
    return { calls, times: () => calls.map((call) => call.at), running: mount(value) }
  }

  const put = (name: string, extra: object = {}): void =>
    cache.put(ConfigMap, { metadata: { namespace: 'default', name, ...extra } })

  return { clock, cache, metrics, lines, reports, writes, clients, mount, loop, put }
}

/** Returns or throws one after the other, and the last for good. */
function inTurn(...results: readonly unknown[]): () => Result {
  let calls = 0
  return () => {
    const result = results[Math.min(calls++, results.length - 1)]
    if (result instanceof Error) throw result
    return result as Result
  }
}

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

describe('a reconcile is called', () => {
  test('when an object of its kind is created, updated and deleted', async () => {
    const { clock, cache, loop, put } = setUp()
    const { calls } = loop(() => {})
    await clock.settle()
    put('a')
    await clock.settle()
    put('a', { labels: { changed: 'yes' } })
    await clock.settle()
    cache.delete(ConfigMap, { namespace: 'default', name: 'a' })
    await clock.settle()
    expect(calls).toEqual([
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was created' },
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was updated (labels)' },
      { at: 0, name: 'default/a', why: 'ConfigMap default/a was deleted' },
    ])
  })

  test("when an object that it owns changes: with the owner's name, never the child's", async () => {
    const { clock, cache, loop } = setUp()
    const { calls } = loop(() => {})
    await clock.settle()
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u', controller: true }
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: [owner] } })
    await clock.settle()
    cache.delete(Deployment, { namespace: 'default', name: 'child' })
    await clock.settle()
    expect(calls.map(({ name, why }) => `${name}: ${why}`)).toEqual([
      'default/owner: Deployment default/child was created',
      'default/owner: Deployment default/child was deleted',
    ])
  })

  test('not when the owner is of another kind, does not control the object, or there is none', async () => {
    const { clock, cache, loop } = setUp()
    const { calls } = loop(() => {})
    await clock.settle()
    const references = [
      [{ apiVersion: 'v1', kind: 'Secret', name: 'x', uid: 'u', controller: true }],
      [{ apiVersion: 'other/v1', kind: 'ConfigMap', name: 'x', uid: 'u', controller: true }],
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }],
      [],
    ]
    for (const [index, ownerReferences] of references.entries()) {
      cache.put(Deployment, { metadata: { namespace: 'default', name: `child-${index}`, ownerReferences } })
    }
    await clock.settle()
    expect(calls).toEqual([])
  })

  test('for the owner that lost a child as well as for the one that got it', async () => {
    const { clock, cache, loop } = setUp()
    const { calls } = loop(() => {})
    const owner = (name: string) => [
      { apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, controller: true },
    ]
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: owner('a') } })
    await clock.settle()
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: owner('b') } })
    await clock.settle()
    expect(calls.map((call) => call.name)).toEqual(['default/a', 'default/a', 'default/b'])
  })

  test('when a watched kind says so, through the object itself or a mapping', async () => {
    const { clock, cache, mount } = setUp()
    const calls: string[] = []
    mount(
      controller('vcap')
        .for(ConfigMap)
        .watches(Secret, forObject())
        .watches(Namespace, (namespace) => ({ namespace: namespace.metadata.name, name: 'settings' }))
        .reconcile(({ namespace, name }) => void calls.push(`${namespace}/${name}`)),
    )
    cache.put(Secret, { metadata: { namespace: 'default', name: 'same-name' } })
    cache.put(Namespace, { metadata: { name: 'team' } })
    await clock.settle()
    expect(calls).toEqual(['default/same-name', 'team/settings'])
  })

  test('through a mapping that looks up who names the object, as often as it takes', async () => {
    const { clock, cache, mount, put, lines } = setUp()
    put('names-it', { annotations: { secret: 'db' } })
    put('other')
    let failures = 2
    const calls: string[] = []
    mount(
      controller('vcap')
        .for(ConfigMap, { predicate: () => false })
        .watches(Secret, async (secret, { client }) => {
          if (failures-- > 0) throw new Error('no answer')
          const maps = await client.list(ConfigMap)
          return maps
            .filter((map) => map.metadata.annotations?.['secret'] === secret.metadata.name)
            .map(({ metadata: { namespace, name } }) => ({ namespace, name }))
        })
        .reconcile(({ namespace, name }) => void calls.push(`${clock.monotonic()} ${namespace}/${name}`)),
    )
    await clock.settle()
    cache.put(Secret, { metadata: { namespace: 'default', name: 'db' } })
    await clock.advance('1m')
    expect(calls).toEqual(['3000 default/names-it'])
    expect(lines.filter((line) => line['level'] === 'error')).toHaveLength(2)
  })

  test('with whatever else a request names, each as a request of its own', async () => {
    const { clock, mount, lines, reports } = setUp()
    const pushes = new Channel<string>('pushes')
    for (const cluster of ['edge', 'home', 'edge']) pushes.send(cluster)
    const calls: string[] = []
    mount(
      controller('fleet')
        .requests<{ cluster: string; namespace: string; name: string }>()
        .watches(pushes, (cluster) => ({ cluster, namespace: 'default', name: 'a' }))
        .reconcile(({ cluster, namespace, name }) => void calls.push(`${cluster}: ${namespace}/${name}`)),
    )
    await clock.settle()
    expect(calls).toEqual(['edge: default/a', 'home: default/a'])
    expect(reports.map(({ request }) => request)).toContainEqual({
      cluster: 'home',
      namespace: 'default',
      name: 'a',
    })
    expect(lines).toContainEqual(expect.objectContaining({ cluster: 'home', name: 'a' }))
  })

  test('when an external event arrives on a channel, also one that was sent before the start', async () => {
    const { clock, mount } = setUp()
    const pushes = new Channel<string>('pushes')
    pushes.send('early')
    const calls: string[] = []
    mount(
      controller('channel')
        .for(ConfigMap)
        .watches(pushes, (name) => ({ namespace: 'default', name }))
        .reconcile((request, { causes }) => void calls.push(`${request.name}: ${describeCauses(causes)}`)),
    )
    await clock.settle()
    pushes.send('late', { note: 'push to main' })
    await clock.settle()
    expect(calls).toEqual(['early: channel pushes said so', 'late: channel pushes: push to main'])
  })

  test('when a timer says so', async () => {
    const { clock, mount } = setUp()
    const calls: number[] = []
    mount(
      controller('timer')
        .watches(every('1h'), () => ({ name: 'everything' }))
        .reconcile(() => void calls.push(clock.monotonic())),
    )
    await clock.advance('2.5h')
    expect(calls).toEqual([3_600_000, 7_200_000])
  })

  test('when the controller starts: once for every existing object, after all of them were listed', async () => {
    const { clock, cache, loop, put } = setUp()
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true }
    cache.put(Deployment, { metadata: { namespace: 'default', name: 'child', ownerReferences: [owner] } })
    cache.holdList(ConfigMap)
    const { calls } = loop(() => {})
    put('a')
    put('b')
    await clock.settle()
    expect(calls).toEqual([])
    cache.finishList(ConfigMap)
    await clock.settle()
    expect(calls).toEqual([
      {
        at: 0,
        name: 'default/a',
        why: 'Deployment default/child was there at the start; ConfigMap default/a was there at the start',
      },
      { at: 0, name: 'default/b', why: 'ConfigMap default/b was there at the start' },
    ])
  })

  test('when the cache resyncs', async () => {
    const { clock, cache, loop, put } = setUp()
    put('a')
    const { calls } = loop(() => {})
    await clock.settle()
    cache.resync(ConfigMap)
    await clock.settle()
    expect(calls.at(-1)?.why).toBe('ConfigMap default/a came up in the regular resync')
  })

  test('for what has just changed before what was there at the start', async () => {
    const { clock, cache, loop, put } = setUp()
    cache.holdList(Deployment)
    cache.holdList(ConfigMap)
    const { calls } = loop(() => {})
    put('old-1')
    put('old-2')
    cache.finishList(ConfigMap)
    put('new')
    cache.finishList(Deployment)
    await clock.settle()
    expect(calls.map((call) => call.name)).toEqual(['default/new', 'default/old-1', 'default/old-2'])
  })

  test('again with the priority that it had: a retry of what was there at the start lets others go first', async () => {
    const { clock, loop, put } = setUp()
    put('old')
    const { calls } = loop(({ name }, { clock }) => {
      if (name === 'old' && calls.length === 1) throw new Error('broken')
      return name === 'slow' ? clock.sleep(20) : undefined
    })
    await clock.advance(990)
    put('slow')
    await clock.advance(15)
    put('new')
    await clock.advance(5)
    expect(calls.map(({ at, name }) => `${at} ${name}`)).toEqual([
      '0 default/old',
      '990 default/slow',
      '1010 default/new',
      '1010 default/old',
    ])
  })

  test('without a namespace for an object of a cluster-scoped kind', async () => {
    const { clock, cache, mount } = setUp()
    const requests: ObjectKey[] = []
    mount(
      controller('tenant')
        .for(Namespace)
        .reconcile((request) => void requests.push(request)),
    )
    cache.put(Namespace, { metadata: { name: 'team' } })
    await clock.settle()
    expect(requests).toEqual([{ name: 'team' }])
  })

  test('not for events that a predicate rules out', async () => {
    const { clock, cache, mount } = setUp()
    const calls: string[] = []
    mount(
      controller('filtered')
        .for(Deployment, { predicate: generationChanged })
        .options({ predicate: (event) => event.object.metadata.namespace !== 'kube-system' })
        .reconcile((request, { causes }) => void calls.push(describeCauses(causes))),
    )
    const deployment = { namespace: 'default', name: 'web', generation: 1 }
    cache.put(Deployment, { metadata: { ...deployment, namespace: 'kube-system' } })
    cache.put(Deployment, { metadata: deployment })
    await clock.settle()
    cache.put(Deployment, { metadata: deployment, status: { replicas: 1 } })
    await clock.settle()
    cache.put(Deployment, { metadata: { ...deployment, generation: 2 } })
    await clock.settle()
    expect(calls).toEqual(['Deployment default/web was created', 'Deployment default/web was updated (spec)'])
  })
})

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

  test('wins over the requeueAfter that it meant to return', async () => {
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
    ['an error whose message is no text', Object.assign(new Error('x'), { message: { text: 'x' } })],
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

  test('is no failure: it resets the back-off', async () => {
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
    const { times } = loop(inTurn(new TerminalError('the schedule is no date')))
    put('a')
    await clock.advance('9h')
    expect(times()).toEqual([0])
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'reconcile failed for good: not retried until something changes',
      error: { code: 'TERMINAL', message: 'the schedule is no date' },
    })
    expect(metrics.page()).toContain(
      'controller_runtime_terminal_reconcile_errors_total{controller="loop"} 1',
    )
    expect(reports).toMatchObject([{ result: 'terminal', next: undefined }])
    put('a')
    await clock.settle()
    expect(times()).toHaveLength(2)
  })

  test('counts as one also where another error stands before it', async () => {
    const { clock, loop, put } = setUp()
    const { times } = loop(inTurn(new Error('cannot go on', { cause: new TerminalError('never') })))
    put('a')
    await clock.advance('9h')
    expect(times()).toEqual([0])
  })
})

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
      message: 'reconcile lost a race: tried again',
      retryIn: 5,
    })
  })

  test('is no failure: it is not counted as one', async () => {
    const { clock, loop, metrics, put } = setUp()
    const { calls } = loop(inTurn(conflict(), undefined))
    put('a')
    await clock.advance(5)
    expect(calls[1]?.why).toMatch(/^retry 1 after a lost race: update of configmaps default\/a failed/)
    expect(metrics.page()).toContain('controller_runtime_reconcile_errors_total{controller="loop"} 0')
  })

  test('is recognised where another error stands before it', async () => {
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

  test('do not hold up what changes meanwhile, nor requeueAfter', async () => {
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

describe('a reconcile that returns something else', () => {
  test.each([5, 'again', null, { requeueAfter: -1 }, { requeueAfter: Number.NaN }, { retryAfter: '5s' }])(
    'is an error that says so, and is tried again like others: %o',
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

describe('numbers of mistakes', () => {
  test('count a reconcile whose code is wrong apart from one that failed', async () => {
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

  test('aborts by its signal what does not end, and gives it up if that does not help', async () => {
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

test('a kind that cannot be listed is reported after two minutes, and waited for', async () => {
  const { cache, clock, lines, loop, put } = setUp()
  cache.holdList(Deployment)
  const { calls } = loop(() => {})
  put('a')
  await clock.advance('2m')
  expect(lines).toMatchObject([{ level: 'warn', waitingFor: 'Deployment' }])
  cache.finishList(Deployment)
  await clock.settle()
  expect(calls).toHaveLength(1)
})

describe('a request that is slowed down while it is reconciled', () => {
  test('waits longer and longer for the next event, and other objects do not wait', async () => {
    const { clock, loop, put, clients } = setUp()
    let version = 0
    const { calls } = loop(({ name }, context) => {
      if (name !== 'a' || version > 5) return
      // What happens when two reasons are found in one run: they count as one.
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

  test('also waits where the event came before the slowdown, and keeps why', async () => {
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
