import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  controller,
  createClient,
  createLogger,
  directTransport,
  Manager,
  timestamp,
  type Client,
  type Clock,
  type ControllerOptions,
  type LeaderElectionOptions,
  type Transport,
} from 'homeostat'
import { ConfigMap, Lease } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const LEASE = { namespace: 'default', name: 'counting' }

let env: TestEnvironment
let direct: Transport
let client: Client
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  env = await TestEnvironment.start()
  direct = directTransport(env.handler, { clock: env.clock })
  client = createClient({ transport: direct, clock: env.clock, fieldManager: 'test' })
})

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await direct.close()
  await env.close()
})

interface ProcessOptions {
  election?: Partial<LeaderElectionOptions>
  controller?: ControllerOptions
  clock?: Clock
  /** Whether the server answers writes of the Lease a second after it has done them. */
  slowLease?: boolean
  /** What the reconcile does instead of counting up. */
  reconcile?: (write: (text: string) => Promise<void>, signal: AbortSignal) => Promise<void>
}

/** A process with a manager. It writes `seen-by-<name>` whenever a ConfigMap `work` changes. */
function start(name: string, options: ProcessOptions = {}) {
  const clock = options.clock ?? env.clock
  const stop = new AbortController()
  const lines: string[] = []
  const sent: { at: number; method: string; path: string }[] = []
  let connected = true
  let slow = options.slowLease ?? false
  const transport: Transport = {
    ...direct,
    async send(request) {
      const isWrite = request.method !== 'GET'
      if (isWrite) sent.push({ at: env.clock.monotonic(), method: request.method, path: request.path })
      if (!connected) return silence(request.signal)
      if (!slow || !isWrite || !request.path.includes('/leases')) return direct.send(request)
      const answer = await direct.send({ ...request, signal: undefined })
      await env.clock.sleep(1000, { signal: request.signal })
      return answer
    },
  }
  const value = controller('counting')
    .for(ConfigMap)
    .reconcile(async (request, context) => {
      if (request.name !== 'work') return
      const write = async (text: string): Promise<void> => {
        const metadata = { namespace: 'default', name: `seen-by-${name}` }
        await context.client.apply(ConfigMap, { metadata, data: { text } })
      }
      if (options.reconcile) await options.reconcile(write, context.signal)
      else await write(`${clock.monotonic()}`)
    }, options.controller)
  const manager = new Manager({
    transport,
    clock,
    logger: createLogger({ format: 'text', clock, write: (line) => lines.push(line) }),
    leaderElection: { ...LEASE, identity: name, ...options.election },
  }).add(value)
  const running = manager.start({ signal: stop.signal })
  running.catch(() => {})
  const end = async (): Promise<void> => {
    stop.abort()
    await env.advance('30s')
    await running
  }
  ends.push(() => end().catch(() => {}))
  return {
    manager,
    running,
    stop,
    lines,
    end,
    /** Requests that write, the Lease's own aside. */
    writes: () => sent.filter(({ path }) => !path.includes('/leases')),
    /** From now on no request is answered, as when a network is cut. */
    cutOff: () => void (connected = false),
    reconnect: () => void (connected = true),
    /** From now on the server does at once what is written to the Lease, and answers a second later. */
    slowDown: () => void (slow = true),
    get leads() {
      return manager.metrics.page().includes('leader_election_master_status{name="counting"} 1')
    },
  }
}

/** An answer that never comes. */
function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** A clock whose wall time is off by so many milliseconds. */
const skewed = (by: number): Clock => ({
  now: () => env.clock.now() + by,
  monotonic: () => env.clock.monotonic(),
  random: () => env.clock.random(),
  schedule: (delay, callback) => env.clock.schedule(delay, callback),
  sleep: (delay, options) => env.clock.sleep(delay, options),
  busy: (what) => env.clock.busy(what),
})

let works = 0
const work = () =>
  client.apply(ConfigMap, {
    metadata: { namespace: 'default', name: 'work' },
    data: { number: `${works++}` },
  })
const lease = async () => (await client.getOrThrow(Lease, LEASE)).spec

describe('of two processes', () => {
  test('one leads and works, the other stands by', { timeout: 120_000 }, async () => {
    const a = start('a')
    await env.settle()
    const b = start('b')
    await work()
    await env.advance('1h')
    expect([a.leads, b.leads]).toEqual([true, false])
    expect(a.writes().length).toBeGreaterThan(0)
    expect(b.writes()).toEqual([])
    expect(b.lines.filter((line) => line.includes('another process leads'))).toHaveLength(1)
    expect(await lease()).toMatchObject({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-01-01T12:00:00.000000Z',
      renewTime: expect.stringMatching(/^2026-01-01T(12:59:5|13:00:0).*Z$/),
    })
  })

  test('the other takes over when the leader falls silent, and not before the lease has run out', async () => {
    const a = start('a')
    await env.settle()
    const b = start('b')
    await env.advance('1m')
    a.cutOff()
    await env.advance('12900ms')
    expect(b.leads).toBe(false)
    await env.advance('12s')
    expect(b.leads).toBe(true)
    expect(await lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
    await work()
    await env.settle()
    expect(b.writes().length).toBeGreaterThan(0)
  })

  test('the other takes over at the next try where an orderly stop gives the lease up', async () => {
    const a = start('a', { election: { releaseOnStop: true } })
    await env.settle()
    const b = start('b')
    await env.advance('1m')
    await a.end()
    await b.manager.elected
    expect([a.leads, b.leads]).toEqual([false, true])
    const { acquireTime } = (await lease()) ?? {}
    expect(Date.parse(acquireTime!) - Date.parse('2026-01-01T12:01:00Z')).toBeLessThan(4_500)
  })

  test('the other waits for the lease to run out where the stop does not give it up', async () => {
    const a = start('a')
    await env.settle()
    const b = start('b')
    await env.advance('1m')
    await a.end()
    expect(b.leads).toBe(true)
    const { acquireTime } = (await lease()) ?? {}
    expect(Date.parse(acquireTime!) - Date.parse('2026-01-01T12:01:00Z')).toBeGreaterThan(12_900)
  })

  test('exactly one leads where both start at the same time', async () => {
    const [a, b] = [start('a'), start('b')]
    await env.advance('10s')
    expect([a.leads, b.leads].filter(Boolean)).toHaveLength(1)
  })
})

describe('a leader that is cut off', () => {
  test('stops when the renew deadline has passed, with an error that says so', async () => {
    const a = start('a')
    await env.advance('1m')
    a.cutOff()
    await env.advance('10s')
    await expect(a.running).rejects.toMatchObject({
      code: 'LEADER_ELECTION_LOST',
      message: expect.stringContaining(
        'lost the lease default/counting: it could not be renewed within 10000 ms',
      ),
    })
    expect(a.leads).toBe(false)
  })

  test('goes on when it is answered again before that', async () => {
    const a = start('a')
    await env.advance('1m')
    a.cutOff()
    await env.advance('7s')
    a.reconnect()
    await env.advance('1m')
    expect(a.leads).toBe(true)
    await work()
    await env.settle()
    expect(a.writes().length).toBeGreaterThan(0)
  })

  test('sends no write after the deadline, even from a reconcile that runs on and on', async () => {
    const refused: unknown[] = []
    const a = start('a', {
      reconcile: async (write) => {
        for (let second = 0; second < 120; second++) {
          await env.clock.sleep(1000)
          await write(`${second}`).catch((error: unknown) => refused.push(error))
        }
      },
      controller: { reconcileTimeout: '10m', abortGracePeriod: '10m' },
    })
    await env.settle()
    const b = start('b')
    await work()
    await env.advance('20s')
    const before = a.writes().length
    expect(before).toBeGreaterThan(15)
    const cut = env.clock.monotonic()
    // Requests reach the server, but the Lease is not renewed: another process has taken it.
    const own = await lease()
    await client.patch(Lease, LEASE, { type: 'merge', body: { spec: { ...own, holderIdentity: 'c' } } })
    await env.advance('60s')
    expect(Math.max(...a.writes().map(({ at }) => at)) - cut).toBeLessThanOrEqual(2_000)
    expect(refused).not.toEqual([])
    await expect(a.running).rejects.toThrow(/c has it now/)
    expect(b.leads).toBe(true)
  })

  test('sends no write after the deadline although requests would get through again', async () => {
    const a = start('a', {
      reconcile: async (write) => {
        for (let second = 0; second < 120; second++) {
          await env.clock.sleep(1000)
          await write(`${second}`).catch(() => {})
        }
      },
      controller: { reconcileTimeout: '10m', abortGracePeriod: '10m' },
    })
    await env.settle()
    await work()
    await env.advance('20s')
    const renewed = Date.parse((await lease())?.renewTime ?? '') - Date.parse('2026-01-01T12:00:00Z')
    a.cutOff()
    await env.advance(renewed + 10_000 - env.clock.monotonic())
    a.reconnect()
    const writes = a.writes().length
    await env.advance('60s')
    expect(a.writes()).toHaveLength(writes)
    expect((await lease())?.holderIdentity).toBe('a')
  })

  test('sends no write when it wakes from a pause in which the deadline passed, before any timer has run', async () => {
    let slept = 0
    const clock: Clock = { ...skewed(0), monotonic: () => env.clock.monotonic() + slept }
    const wake = Promise.withResolvers<void>()
    const outcomes: unknown[] = []
    const a = start('a', {
      clock,
      reconcile: async (write) => {
        await wake.promise
        await write('after the pause').catch((error: unknown) => outcomes.push(error))
      },
      controller: { reconcileTimeout: '10m' },
    })
    await env.settle()
    await work()
    await env.settle()
    slept = 10_000
    wake.resolve()
    await env.settle()
    expect(outcomes).toMatchObject([{ code: 'LEADER_ELECTION_LOST' }])
    expect(a.writes()).toEqual([])
    await env.advance('2s')
    await expect(a.running).rejects.toMatchObject({ code: 'LEADER_ELECTION_LOST' })
  })

  test('ends a write that is on its way when the deadline passes', async () => {
    const outcomes: unknown[] = []
    const a = start('a', {
      reconcile: async (write) => {
        await write('on its way').catch((error: unknown) => outcomes.push(error))
      },
      controller: { reconcileTimeout: '10m', abortGracePeriod: '10m' },
    })
    await env.settle()
    a.cutOff()
    await work()
    await env.advance('9s')
    const writes = a.writes().length
    expect(outcomes).toEqual([])
    await env.advance('1s')
    expect(outcomes).toMatchObject([{ code: 'LEADER_ELECTION_LOST' }])
    expect(a.writes()).toHaveLength(writes)
  })

  test('does not send what waited for credentials until the deadline had passed', async () => {
    // A transport that fetches credentials before each write, as one with an exec plugin does.
    const credentials = Promise.withResolvers<void>()
    const sent: string[] = []
    const slow: Transport = {
      ...direct,
      async send(request) {
        if (request.method === 'GET' || request.path.includes('/leases')) return direct.send(request)
        await credentials.promise
        request.beforeSend?.()
        sent.push(request.path)
        return direct.send(request)
      },
    }
    let slept = 0
    const clock: Clock = { ...skewed(0), monotonic: () => env.clock.monotonic() + slept }
    const outcomes: unknown[] = []
    const writer = controller('writer')
      .for(ConfigMap)
      .reconcile(
        async ({ name }, { client }) => {
          const metadata = { namespace: 'default', name: `by-${name}` }
          await client.apply(ConfigMap, { metadata }).catch((error: unknown) => outcomes.push(error))
        },
        { reconcileTimeout: '10m' },
      )
    const stop = new AbortController()
    const running = new Manager({
      transport: slow,
      clock,
      logger: createLogger({ format: 'text', clock, write: () => {} }),
      leaderElection: { ...LEASE, identity: 'slow' },
    })
      .add(writer)
      .start({ signal: stop.signal })
    running.catch(() => {})
    await env.settle()
    await work()
    await env.settle()
    // The whole process slept: its timers have not run yet when the credentials come.
    slept = 10_000
    credentials.resolve()
    await env.settle()
    expect(sent).toEqual([])
    expect(outcomes[0]).toMatchObject({ code: 'LEADER_ELECTION_LOST' })
    stop.abort()
    await env.advance('31s')
    await running.catch(() => {})
  })

  test('aborts its reconciles at once, whatever the graceful shutdown would be', async () => {
    const aborted: number[] = []
    const a = start('a', {
      reconcile: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(env.clock.monotonic())
            resolve()
          })
        }),
      controller: { reconcileTimeout: '10m' },
    })
    await env.settle()
    await work()
    await env.settle()
    a.cutOff()
    await env.advance('10s')
    expect(aborted).toEqual([10_000])
    await expect(a.running).rejects.toMatchObject({ code: 'LEADER_ELECTION_LOST' })
  })
})

describe('clocks that differ', () => {
  test.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('do no harm: a process an hour %s neither takes the lease nor waits longer', async (_, by) => {
    const a = start('a')
    await env.settle()
    const b = start('b', { clock: skewed(by) })
    await env.advance('10m')
    expect([a.leads, b.leads]).toEqual([true, false])
    a.cutOff()
    await env.advance('25s')
    expect(b.leads).toBe(true)
  })

  test('do no harm when a leader’s is set while it leads', async () => {
    const a = start('a')
    await env.settle()
    const b = start('b')
    await env.advance('1m')
    env.clock.jumpTo('2030-01-01T00:00:00Z')
    await env.advance('1m')
    env.clock.jumpTo('2020-01-01T00:00:00Z')
    await env.advance('1m')
    expect([a.leads, b.leads]).toEqual([true, false])
    expect((await lease())?.renewTime).toContain(timestamp(env.clock.now()).slice(0, 16))
  })
})

describe('the lease', () => {
  test('of a process that crashed is taken when it has run out', async () => {
    await client.create(Lease, {
      metadata: LEASE,
      spec: { holderIdentity: 'crashed', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000000Z' },
    })
    const b = start('b')
    await env.advance('14s')
    expect(b.leads).toBe(false)
    await env.advance('10s')
    expect(b.leads).toBe(true)
  })

  test('is created again after it was deleted', async () => {
    const a = start('a')
    await env.settle()
    await client.delete(Lease, LEASE)
    await env.advance('10s')
    expect(a.leads).toBe(true)
    expect((await lease())?.holderIdentity).toBe('a')
  })

  test('keeps what others wrote on it', async () => {
    const a = start('a')
    await env.settle()
    await client.patch(Lease, LEASE, { type: 'merge', body: { metadata: { labels: { team: 'x' } } } })
    await env.advance('1m')
    expect(a.leads).toBe(true)
    expect((await client.getOrThrow(Lease, LEASE)).metadata.labels).toEqual({ team: 'x' })
  })
})

describe('a process that is stopped while a write of the lease is under way', () => {
  test.each([false, true])(
    'gives the lease up that it was about to take: releaseOnStop %j',
    async (releaseOnStop) => {
      const a = start('a', { slowLease: true, election: { releaseOnStop } })
      await env.advance('500ms')
      expect((await lease())?.holderIdentity).toBe('a')
      a.stop.abort()
      await env.advance('3s')
      await a.running
      expect((await lease())?.holderIdentity).toBeUndefined()
      expect([a.leads, a.writes()]).toEqual([false, []])
      const b = start('b')
      await env.advance('5s')
      expect(b.leads).toBe(true)
    },
  )

  test('gives the lease up that it was renewing, where it was asked to', async () => {
    const a = start('a', { election: { releaseOnStop: true } })
    await env.advance('5s')
    a.slowDown()
    const { renewTime } = await lease()
    while ((await lease())?.renewTime === renewTime) await env.advance('100ms')
    a.stop.abort()
    await env.advance('3s')
    await a.running
    expect((await lease())?.holderIdentity).toBeUndefined()
    expect(a.lines.join('')).not.toContain('could not be released')
  })

  test('waits no longer than half the renew deadline where no answer comes', async () => {
    const a = start('a')
    a.cutOff()
    await env.advance('100ms')
    a.stop.abort()
    let stopped = false
    void a.running.then(() => (stopped = true))
    await env.advance('6s')
    expect(stopped).toBe(true)
  })
})

describe('a process that stands by', () => {
  test('stops at once when it is told to', async () => {
    start('a')
    await env.settle()
    const b = start('b')
    await env.advance('1m')
    const before = env.clock.monotonic()
    b.stop.abort()
    await b.running
    expect(env.clock.monotonic()).toBe(before)
  })

  test('runs a controller that needs no leader, which may write', async () => {
    start('a')
    await env.settle()
    const b = start('b', { controller: { needLeaderElection: false } })
    await work()
    await env.settle()
    expect([b.leads, b.writes().length]).toEqual([false, 1])
  })

  test('has its caches full before it leads where it warms up, and reconciles nothing', async () => {
    const a = start('a')
    await env.settle()
    await work()
    const b = start('b', { controller: { enableWarmUp: true } })
    await env.settle()
    expect(b.manager.metrics.page()).toMatch(/workqueue_depth\{controller="counting",[^}]*\} [1-9]/)
    expect(b.writes()).toEqual([])
    a.cutOff()
    await env.advance('25s')
    expect(b.writes()).toHaveLength(1)
  })
})

describe('invalid options are refused', () => {
  test.each([
    [{ leaseDuration: '1500ms' as const }, /leaseDuration must be a whole number of seconds/],
    [{ renewDeadline: '15s' as const }, /renewDeadline must be shorter than leaseDuration/],
    [{ retryPeriod: '9s' as const }, /retryPeriod must be well below renewDeadline/],
    [{ retryPeriod: 0 }, /retryPeriod must be longer than 0/],
    [{ name: '' }, /name must be the name of a Lease/],
    [{ identity: '' }, /identity must distinguish this process from others/],
  ])('%j', (election, message) => {
    expect(() => new Manager({ leaderElection: { name: 'x', ...election } })).toThrow(message)
  })

  test('a transport without a namespace for the lease', async () => {
    const manager = new Manager({
      transport: direct,
      clock: env.clock,
      leaderElection: { name: 'x', identity: 'a' },
    })
    await expect(manager.start({ signal: new AbortController().signal })).rejects.toThrow(
      /give leaderElection.namespace/,
    )
  })
})
