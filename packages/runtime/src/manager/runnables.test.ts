import { SimulatedClock, type ApiHandler } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { controller } from '../controller/builder.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { ManagerOptions } from './manager-options.ts'
import { Manager } from './manager.ts'
import type { RunnableContext } from './runnable.ts'

/** A server that has no objects, accepts every write, and keeps a Lease. */
function emptyServer(): { handler: ApiHandler; writes: string[] } {
  const writes: string[] = []
  let version = 1
  const handler: ApiHandler = async ({ method, path, body, query }) => {
    if (method === 'GET' && query.get('watch') === 'true')
      return { status: 200, headers: {}, body: endless() }
    if (method === 'GET' && path.includes('/leases/')) return answer(404, status(404, 'NotFound'))
    if (method === 'GET') return answer(200, { kind: 'List', metadata: { resourceVersion: '1' }, items: [] })
    writes.push(`${method} ${path}`)
    const object = JSON.parse(new TextDecoder().decode(body)) as { metadata: object }
    return answer(201, { ...object, metadata: { ...object.metadata, resourceVersion: `${++version}` } })
  }
  return { handler, writes }
}

const answer = (status: number, body: object) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode(JSON.stringify(body)),
})
const status = (code: number, reason: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  code,
  reason,
  message: reason,
  details: { name: 'lease', kind: 'leases' },
})

// oxlint-disable-next-line require-yield -- it tells nothing
async function* endless(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {})
}

function setUp(options: ManagerOptions = {}) {
  const clock = new SimulatedClock()
  const { handler, writes } = emptyServer()
  const transport = directTransport(handler, { clock })
  const manager = new Manager({ clock, transport, logger: silentLogger, ...options })
  const stop = new AbortController()
  const start = (): Promise<void> => {
    const running = manager.start({ signal: stop.signal })
    running.catch(() => {})
    return running
  }
  return { clock, manager, stop, start, writes }
}

const untilStopped = ({ signal }: RunnableContext): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

describe('a runnable', () => {
  test('runs as long as the manager, with a client in its own name', async () => {
    const { clock, manager, start, stop, writes } = setUp()
    const lines: string[] = []
    manager.addRunnable('poller', async (context) => {
      lines.push(`${context.fieldManager} starts`)
      await context.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'polled' } })
      await untilStopped(context)
      await context.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'last' } })
      lines.push('ends')
    })
    const running = start()
    await clock.settle()
    expect(lines).toEqual(['poller starts'])
    stop.abort()
    await clock.settle()
    await running
    expect(lines).toEqual(['poller starts', 'ends'])
    expect(writes).toEqual(Array(2).fill('POST /api/v1/namespaces/default/configmaps'))
  })

  test('may end before the manager does', async () => {
    const { clock, manager, start, stop } = setUp()
    let ran = 0
    const running = manager.addRunnable('once', () => void ran++) && start()
    await clock.advance('1h')
    expect(ran).toBe(1)
    stop.abort()
    await running
  })

  test('that throws ends the manager, with an error that names it', async () => {
    const { clock, manager, start } = setUp()
    const ended: string[] = []
    manager
      .addRunnable('other', async (context) => {
        await untilStopped(context)
        ended.push('other')
      })
      .addRunnable('broken', async ({ clock }) => {
        await clock.sleep(1000)
        throw new Error('no such queue')
      })
    const running = start()
    await clock.advance('2s')
    await expect(running).rejects.toMatchObject({
      code: 'RUNNABLE_FAILED',
      message: 'the runnable broken failed: no such queue',
    })
    expect(ended).toEqual(['other'])
  })

  test('that throws the reason of its signal has stopped normally', async () => {
    const { clock, manager, start, stop } = setUp()
    manager.addRunnable('sleeper', ({ clock, signal }) => clock.sleep(3_600_000, { signal }))
    const running = start()
    await clock.settle()
    stop.abort()
    await expect(running).resolves.toBeUndefined()
  })

  test('that does not end is given up after gracefulShutdownTimeout, and may not write any more', async () => {
    const { clock, manager, start, stop, writes } = setUp({ gracefulShutdownTimeout: '5s' })
    const later = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<unknown>()
    manager.addRunnable('deaf', async ({ client }) => {
      await later.promise
      const metadata = { namespace: 'default', name: 'late' }
      await client.create(ConfigMap, { metadata }).then(outcome.resolve, outcome.resolve)
    })
    const running = start()
    await clock.settle()
    stop.abort()
    await clock.advance('5s')
    await expect(running).rejects.toMatchObject({
      code: 'MANAGER_STOP_TIMEOUT',
      message: expect.stringContaining('the runnable deaf had not ended within 5s'),
    })
    later.resolve()
    expect(await outcome.promise).toMatchObject({ code: 'MANAGER_STOPPED' })
    expect(writes).toEqual([])
  })

  test('needs a name of its own', () => {
    const { manager } = setUp()
    const value = controller('x')
      .for(ConfigMap)
      .reconcile(() => {})
    manager.add(value)
    expect(() => manager.addRunnable('x', () => {})).toThrow(
      /two controllers or runnables are named x: the name is the field manager of their writes/,
    )
  })
})

test('the access that a runnable declares is part of the rules', () => {
  const { manager } = setUp()
  manager.addRunnable('poller', () => {}, { access: [{ kind: ConfigMap, verbs: ['read', 'apply'] }] })
  expect(manager.rules()).toEqual([
    {
      apiGroups: [''],
      resources: ['configmaps'],
      verbs: ['get', 'list', 'watch', 'create', 'patch'],
    },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ])
})

describe('the order', () => {
  const election = { name: 'lease', namespace: 'default', identity: 'me' }

  test('of the start is: members that need no leader, then the others; of the stop the reverse', async () => {
    const { clock, manager, start, stop } = setUp({ leaderElection: election })
    const lines: string[] = []
    const runnable = (name: string) => async (context: RunnableContext) => {
      lines.push(`${name} starts`)
      await untilStopped(context)
      await context.clock.sleep(1000)
      lines.push(`${name} ends`)
    }
    manager
      .addRunnable('leader', runnable('leader'))
      .addRunnable('everyone', runnable('everyone'), { needLeaderElection: false })
    const running = start()
    await manager.elected
    await clock.settle()
    expect(lines).toEqual(['everyone starts', 'leader starts'])
    stop.abort()
    await clock.advance('3s')
    await running
    expect(lines.slice(2)).toEqual(['leader ends', 'everyone ends'])
  })
})

describe('while the manager runs', () => {
  test('runnables and controllers can be added and removed', async () => {
    const { clock, manager, start, stop } = setUp()
    const lines: string[] = []
    const running = start()
    await clock.settle()
    manager.addRunnable('late', async (context) => {
      lines.push('late starts')
      await untilStopped(context)
      lines.push('late ends')
    })
    const value = controller('watcher')
      .for(ConfigMap)
      .reconcile(() => {})
    manager.add(value)
    await clock.settle()
    expect(lines).toEqual(['late starts'])
    expect(manager.metrics.page()).toContain('workqueue_unfinished_work_seconds{controller="watcher"')
    expect(await manager.remove('late')).toBe(true)
    expect(lines).toEqual(['late starts', 'late ends'])
    expect(await manager.remove('watcher')).toBe(true)
    expect(await manager.remove('watcher')).toBe(false)
    manager.add(value)
    stop.abort()
    await clock.settle()
    await running
    expect(() => manager.addRunnable('too-late', () => {})).toThrow(/the runnable too-late cannot be added/)
  })
})
