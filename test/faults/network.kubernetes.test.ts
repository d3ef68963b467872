import { SystemClock } from '@homeostat/api'
import {
  connect,
  createClient,
  customResourceDefinition,
  loadConfig,
  Manager,
  silentLogger,
  type Client,
  type ClusterConfig,
  type ManagerOptions,
  type Transport,
} from 'homeostat'
import { CustomResourceDefinition, Lease } from 'homeostat/kinds'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startControlPlane, type ControlPlane } from '../kubernetes/control-plane.ts'
import { Note, noteCopier, whatIsLost, type Seen } from './note-copier.ts'
import { TcpProxy } from './tcp-proxy.ts'

/** A cluster that the user of the tests provides must not be killed. */
const SHARED = process.env.HOMEOSTAT_TEST_KUBECONFIG !== undefined
const clock = new SystemClock()
let plane: ControlPlane
/** Speaks to the server past all faults. */
let transport: Transport
let client: Client
/** Between the manager and the server. */
let proxy: TcpProxy
let config: ClusterConfig
let seen: Seen
let ends: (() => Promise<unknown>)[]

beforeAll(async () => {
  if (SHARED) return
  plane = await startControlPlane()
  await plane.settled()
  const direct = loadConfig({ kubeconfig: plane.kubeconfig })
  transport = connect(direct, { clock })
  client = createClient({ transport, clock })
  proxy = await TcpProxy.open(Number(new URL(plane.url).port))
  config = { ...direct, server: `https://127.0.0.1:${proxy.port}` }
  await client.create(CustomResourceDefinition, customResourceDefinition(Note))
  await vi.waitFor(() => client.list(Note), { timeout: 180_000 })
})
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  await transport?.close()
  await plane?.stop()
})
beforeEach(() => {
  seen = new Map()
  ends = []
})
afterEach(async () => {
  proxy.restore()
  for (const end of ends) await end()
  await client.deleteAllOf(Note, { namespace: 'default' })
})

function start(options: ManagerOptions = {}): Manager {
  const stop = new AbortController()
  const manager = new Manager({ config, logger: silentLogger, ...options }).add(noteCopier(seen))
  const running = manager.start({ signal: stop.signal })
  running.catch(() => {})
  ends.push(() => {
    stop.abort()
    return running.catch(() => {})
  })
  return manager
}

const at = (name: string) => ({ namespace: 'default', name })
const note = (name: string, text: string) => client.create(Note, { metadata: at(name), spec: { text } })
const change = (name: string, text: string) =>
  client.patch(Note, at(name), { type: 'merge', body: { spec: { text } } })

async function someNotes(count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `n${index}`)
  const make = async (): Promise<void> => {
    for (let name = names.pop(); name; name = names.pop()) await note(name, 'first')
  }
  await Promise.all(Array.from({ length: 16 }, make))
}

/** The writes of others while the manager cannot see them. */
async function changesMeanwhile(): Promise<void> {
  await change('n0', 'second')
  await client.delete(Note, at('n1'))
  await client.delete(Note, at('n2'))
  await note('n2', 'made again')
  await note('new', 'new')
}

async function caughtUp(who = seen): Promise<void> {
  await vi.waitFor(async () => expect(await whatIsLost(client, who)).toEqual([]), {
    timeout: 300_000,
    interval: 200,
  })
}

/** A transport that tells which watches went through it, and which of them have shown a bookmark since their first list. */
function noticingBookmarks(transport: Transport) {
  const [watched, marked] = [new Set<string>(), new Set<string>()]
  async function* noticing(path: string, body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      const text = new TextDecoder().decode(chunk)
      if (text.includes('"type":"BOOKMARK"') && !text.includes('initial-events-end')) marked.add(path)
      yield chunk
    }
  }
  const send: Transport['send'] = async (request) => {
    const response = await transport.send(request)
    if (!request.query.has('watch') || response.body instanceof Uint8Array) return response
    watched.add(request.path)
    return { ...response, body: noticing(request.path, response.body) }
  }
  return { transport: { ...transport, send }, watched, marked }
}

describe.skipIf(SHARED)('a kube-apiserver that is killed and started again', () => {
  test('during the first list: everything is listed in the end', async () => {
    await someNotes(1_000)
    const listing = Promise.withResolvers<void>()
    const manager = connect(config, { clock })
    const asking: Transport = {
      ...manager,
      async send(request) {
        const response = await manager.send(request)
        if (request.path.endsWith('/notes')) listing.resolve()
        return response
      },
    }
    start({ transport: asking })
    await listing.promise
    await plane.killServer()
    await plane.startServer()
    await changesMeanwhile()
    await caughtUp()
    expect(seen.size).toBeGreaterThanOrEqual(1_000)
    await manager.close()
  })

  test('during the watch: what happened before the manager was back is seen, and what is gone as gone', async () => {
    await someNotes(5)
    await start().synced
    await caughtUp()
    await plane.killServer()
    await plane.startServer()
    await changesMeanwhile()
    await caughtUp()
    expect(seen.get('default/n1')).toBeUndefined()
    expect(seen.get('default/new')).toBe('new')
  })

  test('during writes, over and over: every write is made in the end', async () => {
    await someNotes(20)
    await start().synced
    const enough = new AbortController()
    const writer = (async () => {
      for (let round = 0; !enough.signal.aborted; round++)
        await change(`n${round % 20}`, `round ${round}`).catch(() => clock.sleep(50))
    })()
    for (let times = 0; times < 3; times++) {
      await clock.sleep(300)
      await plane.killServer()
      await plane.startServer()
    }
    await clock.sleep(300)
    enough.abort()
    await writer
    await caughtUp()
    expect(await whatIsLost(client, seen)).toEqual([])
  })
})

describe.skipIf(SHARED)('a network', () => {
  test('that cuts all connections is taken up where it was', async () => {
    await someNotes(5)
    await start().synced
    await caughtUp()
    proxy.cut()
    await changesMeanwhile()
    proxy.restore()
    await caughtUp()
    expect(seen.get('default/new')).toBe('new')
  })

  test('whose connections hang without closing is found out by its silence, and nothing is lost', async () => {
    await someNotes(5)
    await using manager = connect(config, { clock })
    const { transport, watched, marked } = noticingBookmarks(manager)
    await start({ transport }).synced
    await caughtUp()
    // They come about every minute, and from the first one on a watch knows how long a silence is too long.
    await vi.waitFor(() => expect(marked).toEqual(watched), { timeout: 300_000, interval: 500 })
    proxy.hang()
    await changesMeanwhile()
    await clock.sleep(1_000)
    expect(seen.get('default/n0')).toBe('first')
    await caughtUp()
    expect(seen.get('default/n0')).toBe('second')
  })

  test('that is parted: the former leader sends no write after its deadline, and the other takes over', async () => {
    const leaderElection = {
      name: 'parted',
      namespace: 'default',
      leaseDuration: '20s',
      renewDeadline: '15s',
      retryPeriod: '500ms',
    } as const
    const former = start({ leaderElection: { ...leaderElection, identity: 'former' } })
    await former.elected
    await note('a', 'before')
    await caughtUp()
    const seenByOther: Seen = new Map()
    const stop = new AbortController()
    const other = new Manager({
      config: { ...config, server: plane.url },
      logger: silentLogger,
      leaderElection: { ...leaderElection, identity: 'other' },
    }).add(noteCopier(seenByOther))
    const running = other.start({ signal: stop.signal })
    proxy.partition()
    const parted = clock.monotonic()
    await expect(former.synced).resolves.toBeUndefined()
    await other.elected
    expect(clock.monotonic() - parted).toBeGreaterThan(15_000)
    // Requests of the former leader would get through again now.
    proxy.restore()
    await change('a', 'after')
    await caughtUp(seenByOther)
    expect((await client.getOrThrow(Lease, at('parted'))).spec?.holderIdentity).toBe('other')
    expect(seen.get('default/a')).toBe('before')
    stop.abort()
    await running
  })
})
