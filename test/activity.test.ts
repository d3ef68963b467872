import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  Activity,
  controller,
  createClient,
  directTransport,
  Manager,
  silentLogger,
  TerminalError,
  type ActivityEvent,
  type Client,
  type ReconcileContext,
  type Result,
} from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, test } from 'vitest'

let env: TestEnvironment
let client: Client
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  env = await TestEnvironment.start()
  client = createClient({ transport: directTransport(env.handler, { clock: env.clock }), clock: env.clock })
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await env.close()
})

const at = (name: string) => ({ namespace: 'default', name })

/** Starts a manager whose controller does for the ConfigMap `a` what the test gives. */
async function start(
  activity: Activity,
  reconcile: (context: ReconcileContext) => Result | Promise<Result>,
): Promise<void> {
  const { clock } = env
  const acting = controller('acting')
    .for(ConfigMap)
    .owns(Secret)
    .reconcile((request, context) => (request.name === 'a' ? reconcile(context) : undefined))
  const stop = new AbortController()
  const transport = directTransport(env.handler, { clock })
  const running = new Manager({ transport, clock, logger: silentLogger, activity })
    .add(acting)
    .start({ signal: stop.signal })
  ends.push(async () => {
    stop.abort()
    await running
  })
  await env.settle()
}

function of<T extends ActivityEvent['type']>(activity: Activity, type: T, name: string) {
  return activity
    .events()
    .filter((event) => event.type === 'queue' || event.request.name === name)
    .filter((event): event is ActivityEvent & { type: T } => event.type === type)
}

test('a reconcile is recorded with its causes, its result, its writes and the fields that they changed', async () => {
  const activity = new Activity()
  await start(activity, async ({ client, clock }) => {
    await clock.sleep(30)
    await client.apply(ConfigMap, { metadata: at('b'), data: { text: 'one' } })
    await client.apply(ConfigMap, { metadata: at('b'), data: { text: 'two' } })
    await client.delete(ConfigMap, at('b'))
    return { requeueAfter: '5m' }
  })
  await client.create(ConfigMap, { metadata: at('a'), data: {} })
  await env.advance('1s')
  const [started] = of(activity, 'started', 'a')
  const [ended] = of(activity, 'ended', 'a')
  expect(started).toMatchObject({
    controller: 'acting',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    request: at('a'),
    causes: [{ type: 'created', kind: 'ConfigMap', object: at('a') }],
    omittedCauses: 0,
  })
  expect(ended).toMatchObject({
    reconcileID: started?.reconcileID,
    result: 'requeueAfter',
    duration: 30,
    next: 300_000,
    isLoop: false,
  })
  expect(ended!.at - started!.at).toBe(30)
  expect(ended?.writes.map(({ verb, kind, name, fields }) => ({ verb, kind, name, fields }))).toEqual([
    { verb: 'apply', kind: 'ConfigMap', name: 'b', fields: undefined },
    { verb: 'apply', kind: 'ConfigMap', name: 'b', fields: ['data.text'] },
    { verb: 'delete', kind: 'ConfigMap', name: 'b', fields: undefined },
  ])
  expect(ended?.writes[1]).toMatchObject({
    apiVersion: 'v1',
    namespace: 'default',
    resourceVersion: expect.stringMatching(/^\d+$/),
  })
})

test('each write is recorded with the line that wrote, also when the line writes again', async () => {
  const activity = new Activity()
  let round = 0
  const write = (client: Client, name: string) =>
    client.apply(ConfigMap, { metadata: at(name), data: { round: String(round) } })
  await start(activity, async ({ client }) => {
    round++
    await client.apply(ConfigMap, { metadata: at('b'), data: { round: String(round) } })
    await write(client, 'c')
    await write(client, 'd')
    return round < 3 ? { requeueAfter: '1s' } : undefined
  })
  await client.create(ConfigMap, { metadata: at('a') })
  await env.advance('10s')
  const lines = of(activity, 'ended', 'a').map(({ writes }) => writes.map(({ line }) => line))
  expect(lines.length).toBe(3)
  expect(lines[0]).toEqual([
    expect.stringMatching(/^test\/activity.test.ts:\d+:\d+$/),
    expect.stringMatching(/^test\/activity.test.ts:\d+:\d+$/),
    expect.any(String),
  ])
  const [[inline, inFunction] = []] = lines
  expect(inFunction).not.toBe(inline)
  expect(lines).toEqual([lines[0], lines[0], lines[0]])
})

test('a refused write and a failure are recorded with what they say, and the retry with the time that is left', async () => {
  const activity = new Activity()
  await start(activity, async ({ client }) => {
    await client.create(ConfigMap, { metadata: { ...at('a'), name: 'Not A Name' } })
  })
  await client.create(ConfigMap, { metadata: at('a') })
  await env.advance('500ms')
  const [ended] = of(activity, 'ended', 'a')
  expect(ended).toMatchObject({ result: 'error', next: 1000, error: expect.stringContaining('Not A Name') })
  expect(ended?.writes).toMatchObject([{ verb: 'create', error: expect.stringContaining('Not A Name') }])
  const queue = of(activity, 'queue', 'a').at(-1)
  expect(queue).toMatchObject({ controller: 'acting', running: 0, ready: 0, delayed: 1 })
  expect(queue?.requests).toMatchObject([
    { request: at('a'), state: 'delayed', time: ended!.at + 1000, cause: { type: 'retry', attempt: 1 } },
  ])
})

test('no value of a Secret is recorded', async () => {
  const activity = new Activity()
  const password = 'correct-horse-battery-staple'
  await start(activity, async ({ client }) => {
    await client.apply(Secret, { metadata: at('s'), stringData: { password: 'first' } })
    await client.apply(Secret, { metadata: at('s'), stringData: { password } })
    throw new TerminalError('stopped')
  })
  await client.create(ConfigMap, { metadata: at('a') })
  await env.advance('1s')
  const [ended] = of(activity, 'ended', 'a')
  expect(ended?.writes.at(-1)).toMatchObject({ kind: 'Secret', fields: ['data.password'] })
  const recorded = JSON.stringify(activity.events())
  for (const secret of [password, btoa(password), btoa('first')]) expect(recorded).not.toContain(secret)
})

test('only the last events are kept, and a reader goes on where it stopped', async () => {
  const activity = new Activity({ limit: 100 })
  const heard: number[] = []
  using _ = activity.listen(({ sequence }) => heard.push(sequence))
  await start(activity, () => ({ requeueAfter: '1s' }))
  await client.create(ConfigMap, { metadata: at('a') })
  await env.advance('10m')
  const events = activity.events()
  expect(heard.length).toBeGreaterThan(1000)
  expect(heard).toEqual(heard.map((_, index) => index + 1))
  expect(events.length).toBeGreaterThanOrEqual(100)
  expect(events.length).toBeLessThan(200)
  expect(events.at(-1)?.sequence).toBe(heard.at(-1))
  const after = events.at(-3)!.sequence
  expect(activity.events(after).map(({ sequence }) => sequence)).toEqual([after + 1, after + 2])
  expect(activity.events(heard.length)).toEqual([])
})

test('a limit that is not a whole number is refused', () => {
  expect(() => new Activity({ limit: 0 })).toThrow('give a whole number from 1 on')
  expect(() => new Activity({ size: 3 } as object)).toThrow('size')
})

test('a reconcile is recorded with what it read, what it logged, and the lines that wrote and threw', async () => {
  const activity = new Activity()
  await start(activity, async ({ client, log }) => {
    await client.get(ConfigMap, at('a'))
    await client.get(ConfigMap, at('a'))
    await client.live.get(Secret, at('b'))
    await client.list(ConfigMap)
    log.info('about to write')
    log.child({ step: 2 }).warn({ password: 'secret-word', count: 3 }, 'writing')
    await client.create(Secret, { metadata: at('c') })
    await fail()
  })
  async function fail(): Promise<never> {
    throw new TerminalError('no more')
  }
  await client.create(ConfigMap, { metadata: at('a'), data: {} })
  await env.advance('1s')
  const [ended] = of(activity, 'ended', 'a')
  expect(ended?.reads).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', ...at('a') },
    { apiVersion: 'v1', kind: 'Secret', ...at('b') },
    { apiVersion: 'v1', kind: 'ConfigMap', namespace: undefined, name: undefined },
  ])
  expect(ended?.logs).toEqual([
    { at: expect.any(Number), level: 'info', message: 'about to write', fields: undefined },
    {
      at: expect.any(Number),
      level: 'warn',
      message: 'writing',
      fields: '{"step":2,"password":"[redacted]","count":3}',
    },
  ])
  expect(ended?.writes[0]?.line).toMatch(/^test\/activity\.test\.ts:\d+:\d+$/)
  expect(ended?.line).toMatch(/^test\/activity\.test\.ts:\d+:\d+$/)
  expect(ended?.line).not.toBe(ended?.writes[0]?.line)
})

test('at most 50 reads and 50 lines of a reconcile are recorded', async () => {
  const activity = new Activity()
  await start(activity, async ({ client, log }) => {
    for (let index = 0; index < 60; index++) {
      await client.get(ConfigMap, at(`n-${index}`))
      log.debug(`read ${index}`)
    }
  })
  await client.create(ConfigMap, { metadata: at('a'), data: {} })
  await env.advance('1s')
  const [ended] = of(activity, 'ended', 'a')
  expect([ended?.reads?.length, ended?.omittedReads]).toEqual([50, 10])
  expect([ended?.logs?.length, ended?.omittedLogs]).toEqual([50, 10])
})
