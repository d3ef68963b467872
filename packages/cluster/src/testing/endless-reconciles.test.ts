import { defineKind, schema as s, SystemClock } from '@homeostat/api'
import { ConfigMap, Event, Secret } from '@homeostat/api/kinds'
import { controller, createLogger, predicates, type Controller, type MetricsRegistry } from 'homeostat'
import { describe, expect, test } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const Counter = defineKind({
  group: 'test.homeostat.dev',
  version: 'v1',
  kind: 'Counter',
  spec: s.object({}),
  status: s.object({ n: s.integer().optional() }),
})
const key = { namespace: 'default', name: 'a' }

/** Counts in the status how often it was called: each write is an event that calls it again. */
const counting = controller('counting')
  .for(Counter)
  .writes(Counter, 'status.apply')
  .reconcile(async (request, { client }) => {
    const counter = await client.get(Counter, request)
    if (counter) await client.status.apply(Counter, request, { n: (counter.status?.n ?? 0) + 1 })
  })

/** Sets a label to its own name, whatever it was. */
function labels(name: string): Controller {
  return controller(name)
    .for(ConfigMap)
    .writes(ConfigMap, 'patch')
    .reconcile(async (request, { client }) => {
      const object = await client.get(ConfigMap, request)
      if (!object || object.metadata.labels?.['owner'] === name) return
      const body = { metadata: { labels: { owner: name } } }
      await client.patch(ConfigMap, request, { type: 'merge', body })
    })
}

/** Never returns. */
const silent = controller('silent')
  .for(ConfigMap)
  .reconcile(() => new Promise<void>(() => {}))

/** Writes without end in one reconcile. */
const flooding = controller('flooding')
  .for(Counter)
  .writes(Counter, 'status.apply')
  .reconcile(async (request, { client }) => {
    if (!(await client.get(Counter, request))) return
    for (let n = 0; ; n++) await client.status.apply(Counter, request, { n })
  })

async function failure(work: Promise<unknown>): Promise<Error & { code?: string }> {
  return work.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  )
}

describe('a loop is reported instead of waited for', () => {
  test.each(['settle', 'advance'] as const)('by %s, with all that is needed to fix it', async (wait) => {
    await using operator = await OperatorTest.start({ kinds: [Counter], controllers: [counting] })
    await operator.client.create(Counter, { metadata: key, spec: {} })
    const error = await failure(wait === 'settle' ? operator.settle() : operator.advance('8760h'))
    expect(error).toMatchObject({ code: 'RECONCILE_LOOP' })
    expect(error.message).toContain(
      'the controller counting reconciles default/a in an endless loop: 100 times in a row',
    )
    expect(error.message).toContain('  status.n of Counter default/a')
    expect(error.message).toContain('  counting default/a: Counter default/a was updated (status)')
  })

  test('where two controllers undo each other’s writes', async () => {
    await using operator = await OperatorTest.start({ controllers: [labels('one'), labels('two')] })
    await operator.client.create(ConfigMap, { metadata: key })
    const error = await failure(operator.settle())
    expect(error).toMatchObject({ code: 'RECONCILE_LOOP' })
    expect(error.message).toMatch(
      /the controller (one|two) reconciles default\/a in an endless loop: 500 times/,
    )
    expect(error.message).toMatch(/ConfigMap default\/a\.metadata\.labels\.owner is "(one|two)" instead of/)
    expect(error.message).toContain('one default/a: ConfigMap default/a was updated')
    expect(error.message).toContain('two default/a: ConfigMap default/a was updated')
  })

  test('where one reconcile writes without end', async () => {
    await using operator = await OperatorTest.start({ kinds: [Counter], controllers: [flooding] })
    await operator.client.create(Counter, { metadata: key, spec: {} })
    const error = await failure(operator.settle())
    expect(error).toMatchObject({ code: 'ENDLESS_REQUESTS' })
    expect(error.message).toContain('patch counters.test.homeostat.dev/status default/a by flooding (200)')
  })

  test('and timers of the machine fire meanwhile', async () => {
    await using operator = await OperatorTest.start({ controllers: [labels('one'), labels('two')] })
    let fired = false
    setImmediate(() => (fired = true))
    await operator.client.create(ConfigMap, { metadata: key })
    await failure(operator.settle())
    expect(fired).toBe(true)
  })
})

describe('a loop in production', () => {
  test('is slowed down, warned of and counted, and another object goes on at once', async () => {
    const lines: any[] = []
    const logger = createLogger({
      format: 'json',
      clock: new SystemClock(),
      write: (line) => lines.push(JSON.parse(line)),
    })
    let stop = false
    const seen: string[] = []
    let metrics = ''
    const value = controller('counting')
      .for(Counter)
      .writes(Counter, 'status.apply')
      .reconcile(async (request, context) => {
        seen.push(`${request.name} at ${context.clock.monotonic()}`)
        metrics = (context.metrics as MetricsRegistry).page()
        if (stop || request.name !== 'a') return
        await counting.reconcile(request, context)
      })
    await using operator = await OperatorTest.start({ kinds: [Counter], controllers: [value], logger })
    await operator.client.create(Counter, { metadata: key, spec: {} })
    await failure(operator.settle())
    seen.length = 0
    await failure(operator.advance('1s'))
    await failure(operator.advance('2s'))
    await operator.client.create(Counter, { metadata: { ...key, name: 'b' }, spec: {} })
    await operator.settle()
    expect(seen).toEqual(['a at 1000', 'a at 3000', 'b at 3000'])
    const warnings = lines.filter(
      ({ level, message }) => level === 'warn' && message.includes('causes itself'),
    )
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({
      controller: 'counting',
      name: 'a',
      count: 100,
      changes: ['status.n of Counter default/a'],
    })
    const events = await operator.client.list(Event, { namespace: 'default' })
    expect(events.map(({ reason, regarding, note }) => ({ reason, name: regarding?.name, note }))).toEqual([
      {
        reason: 'ReconcileLoop',
        name: 'a',
        note: expect.stringContaining('status.n of Counter default/a changed each time'),
      },
    ])
    expect(metrics).toContain('homeostat_reconcile_loops_total{controller="counting"} 1')
    stop = true
    await operator.advance('1h')
    seen.length = 0
    const body = { metadata: { labels: { changed: 'yes' } } }
    await operator.client.patch(Counter, key, { type: 'merge', body })
    await operator.settle()
    expect(seen).toHaveLength(1)
  })
})

describe('a loop of two controllers in production', () => {
  test('is slowed down, and reported with both of them and the field', async () => {
    await using operator = await OperatorTest.start({ controllers: [labels('one'), labels('two')] })
    await operator.client.create(ConfigMap, { metadata: key })
    const loops = () => operator.reports.filter(({ loop }) => loop !== undefined)
    // The test gives up earlier than the manager.
    for (let time = 0; time < 10 && loops().length < 2; time++) await failure(operator.settle())
    expect(loops()[0]?.loop).toEqual({
      count: 500,
      changes: ['metadata.labels.owner of ConfigMap default/a'],
      others: [expect.stringMatching(/^(one|two) default\/a$/)],
    })
    const before = operator.reports.length
    await failure(operator.advance('10m'))
    expect(operator.reports.length - before).toBeLessThan(100)
    const [event] = (await operator.client.list(Event, { namespace: 'default' })).filter(
      ({ reason }) => reason === 'ReconcileLoop',
    )
    expect(event?.note).toMatch(
      /^the controller (one|two) reconciles default\/a in an endless loop, because its write causes another reconcile, whose write causes the next \((one|two) default\/a\): metadata\.labels\.owner of ConfigMap default\/a changed each time\. The object is now reconciled less often$/,
    )
  })
})

describe('is not a loop:', () => {
  test('a rollout of fifty steps, each caused by the write of the one before', async () => {
    const rollout = controller('rollout')
      .for(Counter)
      .writes(Counter, 'status.apply')
      .reconcile(async (request, { client }) => {
        const n = (await client.get(Counter, request))?.status?.n ?? 0
        if (n < 50) await client.status.apply(Counter, request, { n: n + 1 })
      })
    await using operator = await OperatorTest.start({ kinds: [Counter], controllers: [rollout] })
    await operator.client.create(Counter, { metadata: key, spec: {} })
    await operator.settle()
    expect((await operator.client.get(Counter, key))?.status?.n).toBe(50)
    await operator.expectNoWrites()
  })

  test('a count that requeueAfter drives', async () => {
    const ticking = controller('ticking')
      .for(Counter, { predicate: predicates.generationChanged })
      .writes(Counter, 'status.apply')
      .reconcile(async (request, context) => {
        await counting.reconcile(request, context)
        return { requeueAfter: '1s' }
      })
    await using operator = await OperatorTest.start({ kinds: [Counter], controllers: [ticking] })
    await operator.client.create(Counter, { metadata: key, spec: {} })
    await operator.advance('300s')
    expect((await operator.client.get(Counter, key))?.status?.n).toBe(301)
  })

  test('an object that others change very often', async () => {
    const copying = controller('copying')
      .for(ConfigMap)
      .writes(Secret, 'apply')
      .reconcile(async (request, { client }) => {
        const object = await client.get(ConfigMap, request)
        if (object) await client.apply(Secret, { metadata: request, stringData: object.data ?? {} })
      })
    await using operator = await OperatorTest.start({ controllers: [copying] })
    await operator.client.create(ConfigMap, { metadata: key })
    for (let n = 0; n < 600; n++) {
      await operator.client.patch(ConfigMap, key, { type: 'merge', body: { data: { n: `${n}` } } })
      if (n % 2 === 0) await operator.settle()
    }
    await operator.settle()
    expect(operator.reports.every(({ loop }) => loop === undefined)).toBe(true)
  })
})

describe('closing always ends', () => {
  test('where a reconcile never ends, and keeps the message of what failed', async () => {
    const body = async (): Promise<void> => {
      await using operator = await OperatorTest.start({ controllers: [silent] })
      await operator.client.create(ConfigMap, { metadata: key })
      await operator.advance('1h')
    }
    const error = await failure(body())
    expect(error).toMatchObject({ code: 'CLOCK_STUCK' })
    expect(error.message).toContain('the reconcile of default/a by the controller silent')
  })

  test.each(['close', 'restart'] as const)('%s, where a reconcile sleeps on the clock', async (end) => {
    const ended: string[] = []
    const sleeping = controller('sleeping')
      .for(Counter)
      .reconcile(async ({ name }, { clock }) => {
        await clock.sleep(name === 'short' ? 5_000 : 3_600_000)
        ended.push(name)
      })
    await using operator = await OperatorTest.start({
      kinds: [Counter],
      controllers: [sleeping],
      manager: { controllers: { maxConcurrentReconciles: 2 } },
    })
    for (const name of ['short', 'long']) {
      await operator.client.create(Counter, { metadata: { ...key, name }, spec: {} })
    }
    await operator.settle()
    await operator[end]()
    expect(ended).toEqual(['short'])
    expect(operator.clock.monotonic()).toBe(30_000)
  })

  test('where a reconcile waits for an answer with Retry-After', async () => {
    const writing = controller('writing')
      .for(Counter)
      .writes(Counter, 'status.apply')
      .reconcile(async (request, { client }) => {
        if (await client.get(Counter, request)) await client.status.apply(Counter, request, { n: 1 })
      })
    await using operator = await OperatorTest.start({
      kinds: [Counter],
      controllers: [writing],
      transport: (inner) => ({
        ...inner,
        async send(request) {
          if (request.method !== 'PATCH') return inner.send(request)
          return { status: 503, headers: { 'retry-after': '60' }, body: new Uint8Array() }
        },
      }),
    })
    await operator.client.create(Counter, { metadata: key, spec: {} })
    await operator.settle()
    await operator.restart()
    expect(operator.clock.monotonic()).toBe(30_000)
  })

  test('where a process was killed while its reconcile never ended', async () => {
    await using operator = await OperatorTest.start({ controllers: [silent] })
    await operator.client.create(ConfigMap, { metadata: key })
    operator.kill()
    await expect(operator.advance('1h')).resolves.toBeUndefined()
  })
})
