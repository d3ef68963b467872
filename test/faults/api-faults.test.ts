import { ApiServer, RevisionStore } from '@homeostat/apiserver'
import { customResourceDefinition, SimulatedClock } from '@homeostat/api'
import { controller, createClient, directTransport, Manager, silentLogger, type Client } from 'homeostat'
import { ConfigMap, CustomResourceDefinition } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  answers,
  FaultyServer,
  isWatch,
  isWrite,
  losesTheAnswer,
  losesTheRequest,
  truncatedAfter,
} from './faulty-server.ts'
import { expectNothingLost as nothingLost, Note, noteCopier, type Seen } from './note-copier.ts'

let clock: SimulatedClock
let store: RevisionStore
let server: ApiServer
let faulty: FaultyServer
/** Speaks to the server itself, past all faults. */
let client: Client
let stop: (() => Promise<void>) | undefined
let seen: Seen

beforeEach(async () => {
  clock = new SimulatedClock()
  store = new RevisionStore()
  server = await ApiServer.start({ clock, store })
  faulty = new FaultyServer(server.handler)
  client = createClient({
    transport: directTransport((request) => server.handler(request), { clock }),
    clock,
  })
  seen = new Map()
  await client.create(CustomResourceDefinition, customResourceDefinition(Note))
  await clock.settle()
})

afterEach(async () => {
  await stop?.()
  stop = undefined
  await server.close()
})

function start(): void {
  const abort = new AbortController()
  const transport = directTransport(faulty.handler, { clock, inProcess: false })
  const manager = new Manager({ transport, clock, logger: silentLogger }).add(noteCopier(seen))
  const running = manager.start({ signal: abort.signal })
  running.catch(() => {})
  stop = async () => {
    faulty.restart()
    abort.abort()
    await clock.advance('31s')
    await running.catch(() => {})
  }
}

const at = (name: string) => ({ namespace: 'default', name })
const note = (name: string, text: string) => client.create(Note, { metadata: at(name), spec: { text } })
const write = (name: string, text: string) =>
  client.patch(Note, at(name), { type: 'merge', body: { spec: { text } } })

const expectNothingLost = () => nothingLost(client, seen)

async function someNotes(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await note(`n${index}`, 'first')
}

/** Changes by another client while no watch is open. */
async function changesMeanwhile(): Promise<void> {
  await write('n0', 'second')
  await client.delete(Note, at('n1'))
  await client.delete(Note, at('n2'))
  await note('n2', 'made again')
  await note('new', 'new')
}

/** The server ends; another begins on what it has stored, without the history that watches resume from. */
async function replaceServer(): Promise<void> {
  await server.close()
  store.compact(Number.MAX_SAFE_INTEGER)
  server = await ApiServer.start({ clock, store })
}

describe('a server that is killed and started again', () => {
  test('during the first list: everything is listed in the end', async () => {
    await someNotes(20)
    faulty.inject(isWatch, truncatedAfter(3_000), 2)
    start()
    await clock.settle()
    faulty.kill()
    await clock.advance('20s')
    await changesMeanwhile()
    faulty.restart()
    await clock.advance('1m')
    expect(seen.size).toBeGreaterThanOrEqual(20)
    await expectNothingLost()
  })

  test('during the watch: what happened meanwhile is told once it is back', async () => {
    await someNotes(5)
    start()
    await clock.settle()
    await write('n3', 'before')
    faulty.kill()
    await changesMeanwhile()
    await clock.advance('2m')
    expect(seen.get('default/n0')).toBe('first')
    faulty.restart()
    await clock.advance('1m')
    expect(seen.get('default/n1')).toBeUndefined()
    await expectNothingLost()
  })

  test('as another that has no history: all is listed again, and what is gone is seen as gone', async () => {
    await someNotes(5)
    start()
    await clock.settle()
    faulty.kill()
    await changesMeanwhile()
    await replaceServer()
    faulty.restart((request) => server.handler(request))
    await clock.advance('1m')
    expect(seen.has('default/n1')).toBe(true)
    expect(seen.get('default/n1')).toBeUndefined()
    await expectNothingLost()
  })

  test.each([
    ['before it got the request', losesTheRequest],
    ['after it did what was asked', losesTheAnswer],
  ])('during a write, %s: the write is made in the end, once', async (_, fault) => {
    start()
    await clock.settle()
    faulty.inject(isWrite, fault, 3)
    await note('a', 'text')
    await note('b', 'text')
    await clock.advance('1m')
    await expectNothingLost()
    const copies = (await client.list(ConfigMap)).filter(({ data }) => data?.['text'])
    expect(copies).toHaveLength(2)
  })
})

describe('a connection that hangs without closing', () => {
  test('is found by its silence after bookmarks, and nothing that happened meanwhile is lost', async () => {
    await someNotes(5)
    start()
    // Bookmarks have come: about every minute.
    await clock.advance('3m')
    faulty.hangStreams()
    await changesMeanwhile()
    await clock.settle()
    expect(seen.get('default/n0')).toBe('first')
    await clock.advance('75s')
    expect(seen.get('default/n0')).toBe('second')
    await clock.advance('10s')
    await expectNothingLost()
  })

  test('during the first list is given up, and the objects are listed in pages', async () => {
    await someNotes(5)
    start()
    faulty.hangStreams()
    await clock.advance('90s')
    await expectNothingLost()
    expect(seen.size).toBe(5)
  })
})

describe('unusable answers', () => {
  test('410 in the middle of a watch lists again', async () => {
    await someNotes(5)
    start()
    await clock.settle()
    faulty.inject(isWatch, answers(410, 'Expired'), 2)
    faulty.breakStreams()
    await changesMeanwhile()
    await clock.advance('30s')
    expect(seen.get('default/new')).toBe('new')
    await expectNothingLost()
  })

  test.each([
    [429, 'TooManyRequests', { 'retry-after': '5' }],
    [500, 'InternalError', {}],
    [503, 'ServiceUnavailable', {}],
    [504, 'Timeout', {}],
  ] as const)('%i to everything for a while is outlasted', async (code, reason, headers) => {
    await someNotes(5)
    faulty.inject(isWatch, answers(code, reason, headers), 3)
    faulty.inject(isWrite, answers(code, reason, headers), 3)
    start()
    await clock.advance('1m')
    faulty.inject(() => true, answers(code, reason, headers), 10)
    faulty.breakStreams()
    await changesMeanwhile()
    await clock.advance('3m')
    expect(seen.get('default/new')).toBe('new')
    await expectNothingLost()
  })

  test('bodies that break off anywhere are never half understood', async () => {
    await someNotes(5)
    for (let bytes = 1; bytes < 6_000; bytes += 487) faulty.inject(isWatch, truncatedAfter(bytes))
    start()
    await clock.advance('10m')
    await changesMeanwhile()
    for (let bytes = 1; bytes < 2_000; bytes += 97) faulty.inject(isWatch, truncatedAfter(bytes))
    faulty.breakStreams()
    await clock.advance('10m')
    expect(seen.get('default/new')).toBe('new')
    await expectNothingLost()
  })
})

describe('a CRD that is deleted and made again', () => {
  test('is waited for at a request a second, and its new objects are seen within a second or so', async () => {
    await someNotes(3)
    start()
    await clock.settle()
    await client.delete(CustomResourceDefinition, { name: 'notes.faults.example.com' })
    await clock.advance('5s')
    const before = faulty.requests.length
    await clock.advance('60s')
    expect(faulty.requests.length - before).toBeLessThanOrEqual(70)
    await client.create(CustomResourceDefinition, customResourceDefinition(Note))
    await clock.settle()
    await note('n0', 'in the second life')
    await note('late', 'new')
    await clock.advance('1500ms')
    expect(seen.get('default/late')).toBe('new')
    expect(seen.get('default/n0')).toBe('in the second life')
    // Reconciles that failed while the kind was not served are tried again after their own delay.
    await clock.advance('5m')
    expect(seen.get('default/n1')).toBeUndefined()
    await expectNothingLost()
  })
})

test('10,000 objects deleted at once are all seen to go', { timeout: 180_000 }, async () => {
  await Promise.all(Array.from({ length: 10_000 }, (_, index) => note(`m${index}`, 'x')))
  const gone = new Set<string>()
  const watcher = controller('watcher')
    .for(Note)
    .options({ maxConcurrentReconciles: 20 })
    .reconcile(async (request, context) => {
      if (!(await context.client.get(Note, request))) gone.add(request.name)
    })
  const abort = new AbortController()
  const running = new Manager({
    transport: directTransport(faulty.handler, { clock }),
    clock,
    logger: silentLogger,
  })
    .add(watcher)
    .start({ signal: abort.signal })
  await clock.settle()
  await client.deleteAllOf(Note, { namespace: 'default' })
  // The watch breaks off in the middle of the news.
  faulty.breakStreams()
  await clock.advance('10s')
  expect(gone.size).toBe(10_000)
  abort.abort()
  await clock.advance('31s')
  await running
})
