import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  controller,
  controllerReference,
  createClient,
  createLogger,
  createOrUpdate,
  defineKind,
  describeCauses,
  directTransport,
  isAlreadyExists,
  isConflict,
  Manager,
  schema as s,
  silentLogger,
  TerminalError,
  type Client,
  type Controller,
  type ManagerOptions,
  type ReconcileReport,
  type Transport,
} from 'homeostat'
import { ConfigMap, Event, Secret } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const Note = defineKind({
  group: 'loop.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string(), copies: s.integer().default(1) }),
  status: s.object({ copied: s.integer().optional() }),
})

let env: TestEnvironment
let transport: Transport
let client: Client
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  env = await TestEnvironment.start({ kinds: [Note] })
  transport = directTransport(env.handler, { clock: env.clock })
  client = createClient({ transport, clock: env.clock, fieldManager: 'test' })
})

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await transport.close()
  await env.close()
})

/** Starts a manager with the controllers; the test's end stops it. */
async function run(controllers: Controller[], options: ManagerOptions = {}) {
  const stop = new AbortController()
  const reports: ReconcileReport[] = []
  const lines: Record<string, any>[] = []
  const logger = createLogger({
    format: 'json',
    clock: env.clock,
    write: (line) => lines.push(JSON.parse(line)),
  })
  const manager = new Manager({
    transport,
    clock: env.clock,
    logger,
    onReconcile: (report) => reports.push(report),
    ...options,
  }).add(...controllers)
  const running = manager.start({ signal: stop.signal })
  running.catch(() => {})
  const end = async (): Promise<void> => {
    stop.abort()
    await env.clock.advance('30s')
    await running
  }
  ends.push(() => end().catch(() => {}))
  await env.settle()
  return { manager, reports, lines, end, stop, running }
}

const at = (name: string) => ({ namespace: 'default', name })
const note = (name: string, text = 'hello') => client.create(Note, { metadata: at(name), spec: { text } })

/** A controller for Notes that does what it is told, and the times at which it was called. */
function noting(...results: readonly unknown[]) {
  const calls: { at: number; why: string }[] = []
  const value = controller('note')
    .for(Note)
    .reconcile((_, { causes }) => {
      const result = results[Math.min(calls.length, results.length - 1)]
      calls.push({ at: env.clock.monotonic(), why: describeCauses(causes) })
      if (result instanceof Error) throw result
      return result as undefined
    })
  return { value, calls, times: () => calls.map((call) => call.at) }
}

describe('the table of the loop, on a server', () => {
  test('nothing: called when the object comes, changes and goes, and not otherwise', async () => {
    await note('there-before')
    const { value, calls } = noting(undefined)
    await run([value])
    await note('a')
    await env.settle()
    await client.patch(Note, at('a'), { type: 'merge', body: { spec: { text: 'other' } } })
    await env.settle()
    await client.patch(Note, at('a'), { type: 'merge', body: { spec: { text: 'other' } } })
    await env.settle()
    await client.delete(Note, at('a'))
    await env.advance('1h')
    expect(calls.map((call) => call.why)).toEqual([
      'Note default/there-before was there at the start',
      'Note default/a was created',
      'Note default/a was updated (spec)',
      'Note default/a was deleted',
    ])
  })

  test('throws: 1 s, 2 s, 4 s … and a success resets it', async () => {
    const broken = new Error('broken')
    const { value, times } = noting(broken, broken, broken, undefined, broken, undefined)
    await run([value])
    await note('a')
    await env.advance('10s')
    expect(times()).toEqual([0, 1000, 3000, 7000])
    await client.delete(Note, at('a'))
    await env.advance('10s')
    expect(times().slice(4)).toEqual([10_000, 11_000])
  })

  test('requeueAfter: exactly then, also days later, while watches come and go', async () => {
    const days = 2 * 24 * 3_600_000 + 7
    const { value, times } = noting({ requeueAfter: days }, undefined)
    await run([value], { resync: '100000h' })
    await note('a')
    await env.advance(days - 1)
    expect(times()).toEqual([0])
    await env.advance(1)
    expect(times()).toEqual([0, days])
  })

  test('requeue: at once, then 5 ms, 10, 20 …', async () => {
    const { value, times } = noting({ requeue: true })
    await run([value])
    await note('a')
    await env.advance(75)
    expect(times()).toEqual([0, 0, 5, 15, 35, 75])
  })

  test('TerminalError: not called again until something changes', async () => {
    const { value, times } = noting(new TerminalError('never'))
    const { lines } = await run([value])
    await note('a')
    await env.advance('9h')
    expect(times()).toEqual([0])
    expect(lines.at(-1)).toMatchObject({ level: 'error', error: { code: 'TERMINAL' } })
    await client.patch(Note, at('a'), { type: 'merge', body: { spec: { text: 'mended' } } })
    await env.settle()
    expect(times()).toHaveLength(2)
  })

  test('resync: every object again, about every ten hours', async () => {
    await note('a')
    const { value, calls } = noting(undefined)
    await run([value])
    await env.advance('8.9h')
    expect(calls).toHaveLength(1)
    await env.advance('2.2h')
    expect(calls.map((call) => call.why)).toEqual([
      'Note default/a was there at the start',
      'Note default/a came up in the regular resync',
    ])
  })
})

describe('a write that lost a race', () => {
  test('is retried within milliseconds, without a failure, and then succeeds', async () => {
    await note('a')
    let stale = await client.getOrThrow(Note, at('a'))
    await client.patch(Note, at('a'), { type: 'merge', body: { spec: { text: 'meanwhile' } } })
    const times: number[] = []
    const { reports } = await run([
      controller('racer')
        .for(Note)
        .reconcile(async (request, { client }) => {
          times.push(env.clock.monotonic())
          const copy = { ...stale, spec: { text: 'ours', copies: 1 } }
          stale = await client.getOrThrow(Note, request)
          await client.update(Note, copy)
        }),
    ])
    await env.advance(4)
    expect(times).toEqual([0])
    await env.advance(1)
    expect(times[1]).toBe(5)
    expect(reports[0]).toMatchObject({ result: 'conflict', next: 5 })
    expect(isConflict(reports[0]?.error)).toBe(true)
    expect((await client.getOrThrow(Note, at('a'))).spec.text).toBe('ours')
  })

  test('is something else than an object that is there already', async () => {
    await client.create(ConfigMap, { metadata: at('taken') })
    await note('a')
    const { reports } = await run([
      controller('creator')
        .for(Note)
        .reconcile(async (_, { client }) => void (await client.create(ConfigMap, { metadata: at('taken') }))),
    ])
    expect(reports).toMatchObject([{ result: 'error', next: 1000 }])
    expect(isAlreadyExists(reports[0]?.error)).toBe(true)
  })
})

/** An operator in small: a Note has a ConfigMap with its text, and says in its status how many copies it has. */
const copier = controller('copier')
  .for(Note)
  .owns(ConfigMap)
  .reconcile(async (request, { client, events }) => {
    const note = await client.get(Note, request)
    if (!note || note.metadata.deletionTimestamp) return
    const { result } = await createOrUpdate(client, ConfigMap, at(`copy-of-${request.name}`), (draft) => {
      draft.metadata.ownerReferences = [controllerReference(note)]
      draft.data = { text: note.spec.text }
    })
    if (result !== 'unchanged') events.normal(note, 'Copied', `the copy was ${result}`)
    await client.status.apply(Note, request, { copied: note.spec.copies })
  })

describe('a controller that owns objects', () => {
  test('heals what was deleted or changed, says why, and then sends nothing', async () => {
    const { reports } = await run([copier])
    await note('a')
    await env.settle()
    expect((await client.getOrThrow(ConfigMap, at('copy-of-a'))).data).toEqual({ text: 'hello' })
    expect((await client.getOrThrow(Note, at('a'))).status).toEqual({ copied: 1 })

    await client.delete(ConfigMap, at('copy-of-a'))
    await env.settle()
    expect((await client.getOrThrow(ConfigMap, at('copy-of-a'))).data).toEqual({ text: 'hello' })
    expect(reports.map((report) => describeCauses(report.causes))).toContain(
      'ConfigMap default/copy-of-a was deleted',
    )

    await client.patch(ConfigMap, at('copy-of-a'), {
      type: 'merge',
      body: { data: { text: 'wrong', more: 'x' } },
    })
    await env.settle()
    expect((await client.getOrThrow(ConfigMap, at('copy-of-a'))).data).toEqual({ text: 'hello' })
    await env.expectNoWrites()
  })

  test('leaves what others add, and writes nothing because of it', async () => {
    await run([copier])
    await note('a')
    await env.settle()
    await client.patch(ConfigMap, at('copy-of-a'), {
      type: 'merge',
      body: { metadata: { labels: { by: 'a-tool' } } },
    })
    await env.expectNoWrites()
    const { metadata } = await client.getOrThrow(ConfigMap, at('copy-of-a'))
    expect(metadata.labels).toEqual({ by: 'a-tool' })
  })

  test('tells of what it did in events, repeated ones as a series', async () => {
    await run([copier])
    const { metadata } = await note('a')
    await env.settle()
    for (let time = 0; time < 3; time++) {
      await client.delete(ConfigMap, at('copy-of-a'))
      await env.settle()
    }
    const events = await client.list(Event, { namespace: 'default' })
    expect(events).toMatchObject([
      {
        type: 'Normal',
        reason: 'Copied',
        action: 'Reconcile',
        note: 'the copy was created',
        reportingController: 'copier',
        regarding: { apiVersion: 'loop.example.com/v1', kind: 'Note', ...at('a'), uid: metadata.uid },
        series: { count: 2 },
      },
    ])
  })

  test('uses its name as field manager', async () => {
    await run([copier])
    await note('a')
    await env.settle()
    const { metadata } = await client.getOrThrow(ConfigMap, at('copy-of-a'))
    expect(metadata.managedFields).toMatchObject([{ manager: 'copier', operation: 'Update' }])
  })
})

test('a mapping finds the objects that name another one', async () => {
  const calls: string[] = []
  await run([
    controller('mapper')
      .for(Note)
      .watches(Secret, async (secret, { client }) => {
        const notes = await client.list(Note, { namespace: secret.metadata.namespace })
        return notes
          .filter((note) => note.spec.text === secret.metadata.name)
          .map(({ metadata: { namespace, name } }) => ({ namespace, name }))
      })
      .reconcile(({ name }, { causes }) => void calls.push(`${name}: ${describeCauses(causes)}`)),
  ])
  await note('names-it', 'db')
  await note('other')
  await env.settle()
  calls.length = 0
  await client.create(Secret, { metadata: at('db') })
  await env.settle()
  expect(calls).toEqual(['names-it: Secret default/db was created'])
})

describe('a manager', () => {
  test('waits for a kind that is not served yet, while other controllers go on', async () => {
    const Later = defineKind({ group: 'loop.example.com', version: 'v1', kind: 'Later', spec: s.object({}) })
    const calls: string[] = []
    const { value, calls: others } = noting(undefined)
    await run([
      controller('later')
        .for(Later)
        .reconcile(({ name }) => void calls.push(name)),
      value,
    ])
    await note('a')
    await env.advance('5m')
    expect(others).toHaveLength(1)
    await env.install(Later)
    await client.create(Later, { metadata: at('x'), spec: {} })
    await env.advance('1m')
    expect(calls).toEqual(['x'])
  })

  describe.each(['apply', 'get'])('whose reconcile needs a kind that is not served: %s', (how) => {
    const Later = defineKind({
      group: 'late.example.com',
      version: 'v1',
      kind: 'Later',
      spec: s.object({}),
    })

    async function fail(names: readonly string[]) {
      const asked: number[] = []
      const counted: Transport = {
        ...transport,
        send(request) {
          if (request.path === '/apis/late.example.com/v1') asked.push(env.clock.monotonic())
          return transport.send(request)
        },
      }
      for (const name of names) await note(name)
      const needy = controller('needy')
        .for(Note)
        .reconcile(async (request, { client }) => {
          const error = await (
            how === 'get'
              ? client.live.get(Later, request)
              : client.apply(Later, { metadata: request, spec: {} })
          ).then(
            () => undefined,
            (cause: unknown) => new Error('the child', { cause }),
          )
          if (error) throw error
        })
      const { reports, end } = await run([needy], { transport: counted })
      await env.advance('20m')
      expect(reports.length).toBeGreaterThan(names.length)
      expect(reports.every(({ result }) => result === 'error')).toBe(true)
      return { asked, reports, end }
    }

    test('tries again at once when it is served, and not only after its back-off', async () => {
      const { asked, reports } = await fail(['a', 'b', 'c'])
      // One question a second, however many objects wait.
      expect(asked.length).toBeLessThanOrEqual(1_200)
      await env.install(Later)
      reports.length = 0
      await env.advance('2s')
      const tried = reports.map(({ request, result }) => `${request.name} ${result}`)
      expect(tried).toEqual(expect.arrayContaining(['a success', 'b success', 'c success']))
      asked.length = 0
      await env.advance('10m')
      expect(asked).toEqual([])
    })

    test('stops while it waits', async () => {
      const { asked, end } = await fail(['a'])
      expect(asked.length).toBeGreaterThan(1_000)
      await end()
      asked.length = 0
      await env.advance('10m')
      expect(asked).toEqual([])
    })
  })

  test('stops in order: a reconcile under way ends, what it writes is written, nothing is left', async () => {
    await note('a')
    await note('b')
    const { end, reports } = await run([
      controller('slow')
        .for(Note)
        .reconcile(async (request, { client, clock }) => {
          await clock.sleep(10_000)
          await client.status.apply(Note, request, { copied: 9 })
        }),
    ])
    await env.advance('2s')
    await end()
    expect(reports).toMatchObject([{ request: at('a'), result: 'success' }])
    expect((await client.getOrThrow(Note, at('a'))).status).toEqual({ copied: 9 })
    expect(env.clock.nextDue()).toBeUndefined()
  })

  test('gives up what does not end in time, says which, and lets it write no more', async () => {
    await note('a')
    const { stop, running } = await run(
      [
        controller('stuck')
          .for(Note)
          .reconcile(async (request, { client, clock }) => {
            await clock.sleep(60_000)
            await client.status.apply(Note, request, { copied: 9 })
          }),
      ],
      { gracefulShutdownTimeout: '5s' },
    )
    stop.abort()
    await env.advance('5s')
    await expect(running).rejects.toThrow(/the reconcile of default\/a had not ended within 5s/)
    await env.advance('2m')
    expect((await client.getOrThrow(Note, at('a'))).status).toBeUndefined()
  })

  test('that is stopped before it has synced ends as well', async () => {
    const stop = new AbortController()
    const manager = new Manager({ transport, clock: env.clock, logger: silentLogger })
    const running = manager.add(noting(undefined).value).start({ signal: stop.signal })
    stop.abort()
    await running
    await manager.synced
    await env.settle()
    expect(env.clock.nextDue()).toBeUndefined()
  })

  test('throttles requests where it is told to', async () => {
    await run(
      [
        controller('busy')
          .for(Note)
          .reconcile(async ({ name }, { client }) => {
            for (const copy of ['1', '2', '3'])
              await client.create(ConfigMap, { metadata: at(`${name}-${copy}`) })
          }),
      ],
      { requests: { perSecond: 1, burst: 2 } },
    )
    await env.advance('1m')
    await note('a')
    await env.settle()
    expect(env.writes.filter((write) => write.resource === 'configmaps')).toHaveLength(2)
    await env.advance('1s')
    expect(env.writes.filter((write) => write.resource === 'configmaps')).toHaveLength(3)
  })
})

test('a contested field is reported and counted, with nothing of its value', async () => {
  const ours = controller('ours')
    .for(Note)
    .owns(ConfigMap)
    .reconcile(async (request, { client }) => {
      const note = await client.get(Note, request)
      if (!note) return
      await createOrUpdate(client, ConfigMap, request, (draft) => {
        draft.data = { mode: 'private-value' }
        draft.metadata.ownerReferences = [controllerReference(note)]
      })
    })
  let fights = 0
  const theirs = controller('theirs')
    .for(ConfigMap)
    .reconcile(async (request, { client }) => {
      if (request.name !== 'a' || fights++ > 20) return
      await client.patch(ConfigMap, request, { type: 'merge', body: { data: { mode: 'theirs' } } })
    })
  const { lines, manager } = await run([ours, theirs])
  await note('a')
  await env.advance('1m')
  const reports = lines.filter((line) => String(line['message']).includes('keeps changing'))
  expect(reports).toMatchObject([
    { controller: 'ours', kind: 'ConfigMap', fields: ['data.mode'], otherManager: 'theirs' },
  ])
  expect(JSON.stringify(reports)).not.toContain('private-value')
  expect(manager.metrics.page()).toContain(
    'homeostat_contested_fields_total{controller="ours",kind="ConfigMap"} 1',
  )
})
