import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { controller, createLogger, Manager, type Clock, type Transport, type Client } from 'homeostat'
import { ConfigMap, Lease } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ElectionStage, LEASE } from './election-stage.ts'

let stage: ElectionStage
let env: TestEnvironment
let client: Client

beforeEach(async () => {
  stage = await ElectionStage.open()
  ;({ env, client } = stage)
})
afterEach(() => stage[Symbol.asyncDispose]())

describe('a leader that is cut off', () => {
  test('stops when the renew deadline has passed, with an error that says so', async () => {
    const a = stage.start('a')
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
    const a = stage.start('a')
    await env.advance('1m')
    a.cutOff()
    await env.advance('7s')
    a.reconnect()
    await env.advance('1m')
    expect(a.leads).toBe(true)
    await stage.work()
    await env.settle()
    expect(a.writes().length).toBeGreaterThan(0)
  })

  test('sends no write after the deadline, even from a reconcile that runs on and on', async () => {
    const refused: unknown[] = []
    const a = stage.start('a', {
      reconcile: async (write) => {
        for (let second = 0; second < 120; second++) {
          await env.clock.sleep(1000)
          await write(`${second}`).catch((error: unknown) => refused.push(error))
        }
      },
      controller: { reconcileTimeout: '10m', abortGracePeriod: '10m' },
    })
    await env.settle()
    const b = stage.start('b')
    await stage.work()
    await env.advance('20s')
    const before = a.writes().length
    expect(before).toBeGreaterThan(15)
    const cut = env.clock.monotonic()
    // Requests reach the server, but the Lease is not renewed: another process has taken it.
    const own = await stage.lease()
    await client.patch(Lease, LEASE, { type: 'merge', body: { spec: { ...own, holderIdentity: 'c' } } })
    await env.advance('60s')
    expect(Math.max(...a.writes().map(({ at }) => at)) - cut).toBeLessThanOrEqual(2_000)
    expect(refused).not.toEqual([])
    await expect(a.running).rejects.toThrow(/c has it now/)
    expect(b.leads).toBe(true)
  })

  test('sends no write after the deadline although requests would get through again', async () => {
    const a = stage.start('a', {
      reconcile: async (write) => {
        for (let second = 0; second < 120; second++) {
          await env.clock.sleep(1000)
          await write(`${second}`).catch(() => {})
        }
      },
      controller: { reconcileTimeout: '10m', abortGracePeriod: '10m' },
    })
    await env.settle()
    await stage.work()
    await env.advance('20s')
    const renewed = Date.parse((await stage.lease())?.renewTime ?? '') - Date.parse('2026-01-01T12:00:00Z')
    a.cutOff()
    await env.advance(renewed + 10_000 - env.clock.monotonic())
    a.reconnect()
    const writes = a.writes().length
    await env.advance('60s')
    expect(a.writes()).toHaveLength(writes)
    expect((await stage.lease())?.holderIdentity).toBe('a')
  })

  test('sends no write when it wakes from a pause in which the deadline passed, before any timer has run', async () => {
    let slept = 0
    const clock: Clock = { ...stage.skewed(0), monotonic: () => env.clock.monotonic() + slept }
    const wake = Promise.withResolvers<void>()
    const outcomes: unknown[] = []
    const a = stage.start('a', {
      clock,
      reconcile: async (write) => {
        await wake.promise
        await write('after the pause').catch((error: unknown) => outcomes.push(error))
      },
      controller: { reconcileTimeout: '10m' },
    })
    await env.settle()
    await stage.work()
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
    const a = stage.start('a', {
      reconcile: async (write) => {
        await write('on its way').catch((error: unknown) => outcomes.push(error))
      },
      controller: { reconcileTimeout: '10m', abortGracePeriod: '10m' },
    })
    await env.settle()
    a.cutOff()
    await stage.work()
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
      ...stage.transport,
      async send(request) {
        if (request.method === 'GET' || request.path.includes('/leases')) return stage.transport.send(request)
        await credentials.promise
        request.beforeSend?.()
        sent.push(request.path)
        return stage.transport.send(request)
      },
    }
    let slept = 0
    const clock: Clock = { ...stage.skewed(0), monotonic: () => env.clock.monotonic() + slept }
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
    await stage.work()
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
    const a = stage.start('a', {
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
    await stage.work()
    await env.settle()
    a.cutOff()
    await env.advance('10s')
    expect(aborted).toEqual([10_000])
    await expect(a.running).rejects.toMatchObject({ code: 'LEADER_ELECTION_LOST' })
  })
})
