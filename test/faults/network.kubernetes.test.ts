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

/** A cluster of somebody's own is not to be killed. */
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
  const direct = loadConfig({ kubeconfig: plane.kubeconfig })
  transport = connect(direct, { clock })
  client = createClient({ transport, clock })
  proxy = await TcpProxy.open(Number(new URL(plane.url).port))
  config = { ...direct, server: `https://127.0.0.1:${proxy.port}` }
  await client.create(CustomResourceDefinition, customResourceDefinition(Note))
  await vi.waitFor(() => client.list(Note), { timeout: 30_000 })
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

/** What others do while the manager cannot see it. */
async function changesMeanwhile(): Promise<void> {
  await change('n0', 'second')
  await client.delete(Note, at('n1'))
  await client.delete(Note, at('n2'))
  await note('n2', 'made again')
  await note('new', 'new')
}

async function caughtUp(seconds: number): Promise<void> {
  await vi.waitFor(async () => expect(await whatIsLost(client, seen)).toEqual([]), {
    timeout: seconds * 1000,
    interval: 200,
  })
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
    await caughtUp(60)
    expect(seen.size).toBeGreaterThanOrEqual(1_000)
    await manager.close()
  })

  test('during the watch: what happened before the manager was back is seen, and what is gone as gone', async () => {
    await someNotes(5)
    await start().synced
    await caughtUp(20)
    await plane.killServer()
    await plane.startServer()
    await changesMeanwhile()
    await caughtUp(60)
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
    await caughtUp(60)
    expect(await whatIsLost(client, seen)).toEqual([])
  })
})

describe.skipIf(SHARED)('a network', () => {
  test('that cuts all connections is taken up where it was', async () => {
    await someNotes(5)
    await start().synced
    await caughtUp(20)
    proxy.cut()
    await changesMeanwhile()
    proxy.restore()
    await caughtUp(40)
    expect(seen.get('default/new')).toBe('new')
  })

  test('whose connections hang without closing is found out by its silence, and nothing is lost', async () => {
    await someNotes(5)
    await start().synced
    await caughtUp(20)
    // Each watch has shown a bookmark by then: they come about every minute.
    await clock.sleep(70_000)
    proxy.hang()
    await changesMeanwhile()
    await clock.sleep(1_000)
    expect(seen.get('default/n0')).toBe('first')
    await caughtUp(120)
    expect(seen.get('default/n0')).toBe('second')
  }, 240_000)

  test('that is parted: the former leader sends no write after its deadline, and the other takes over', async () => {
    const leaderElection = {
      name: 'parted',
      namespace: 'default',
      leaseDuration: '5s',
      renewDeadline: '3s',
      retryPeriod: '500ms',
    } as const
    const former = start({ leaderElection: { ...leaderElection, identity: 'former' } })
    await former.elected
    await note('a', 'before')
    await caughtUp(20)
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
    expect(clock.monotonic() - parted).toBeGreaterThan(3_000)
    // Requests of the former leader would get through again now.
    proxy.restore()
    await change('a', 'after')
    await vi.waitFor(async () => expect(await whatIsLost(client, seenByOther)).toEqual([]), {
      timeout: 20_000,
    })
    expect((await client.getOrThrow(Lease, at('parted'))).spec?.holderIdentity).toBe('other')
    expect(seen.get('default/a')).toBe('before')
    stop.abort()
    await running
  })
})
