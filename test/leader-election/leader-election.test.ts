import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { Manager, timestamp, type Client } from 'homeostat'
import { Lease } from 'homeostat/kinds'
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

describe('of two processes', () => {
  test('one leads and works, the other stands by', { timeout: 120_000 }, async () => {
    const a = stage.start('a')
    await env.settle()
    const b = stage.start('b')
    await stage.work()
    await env.advance('1h')
    expect([a.leads, b.leads]).toEqual([true, false])
    expect(a.writes().length).toBeGreaterThan(0)
    expect(b.writes()).toEqual([])
    expect(b.lines.filter((line) => line.includes('another process leads'))).toHaveLength(1)
    expect(await stage.lease()).toMatchObject({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-01-01T12:00:00.000000Z',
      renewTime: expect.stringMatching(/^2026-01-01T(12:59:5|13:00:0).*Z$/),
    })
  })

  test('the other takes over when the leader falls silent, and not before the lease has run out', async () => {
    const a = stage.start('a')
    await env.settle()
    const b = stage.start('b')
    await env.advance('1m')
    a.cutOff()
    await env.advance('12900ms')
    expect(b.leads).toBe(false)
    await env.advance('12s')
    expect(b.leads).toBe(true)
    expect(await stage.lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
    await stage.work()
    await env.settle()
    expect(b.writes().length).toBeGreaterThan(0)
  })

  test('the other takes over at the next try where an orderly stop gives the lease up', async () => {
    const a = stage.start('a', { election: { releaseOnStop: true } })
    await env.settle()
    const b = stage.start('b')
    await env.advance('1m')
    await a.end()
    await b.manager.elected
    expect([a.leads, b.leads]).toEqual([false, true])
    const { acquireTime } = (await stage.lease()) ?? {}
    expect(Date.parse(acquireTime!) - Date.parse('2026-01-01T12:01:00Z')).toBeLessThan(4_500)
  })

  test('the other waits for the lease to run out where the stop does not give it up', async () => {
    const a = stage.start('a')
    await env.settle()
    const b = stage.start('b')
    await env.advance('1m')
    await a.end()
    expect(b.leads).toBe(true)
    const { acquireTime } = (await stage.lease()) ?? {}
    expect(Date.parse(acquireTime!) - Date.parse('2026-01-01T12:01:00Z')).toBeGreaterThan(12_900)
  })

  test('exactly one leads where both start at the same time', async () => {
    const [a, b] = [stage.start('a'), stage.start('b')]
    await env.advance('10s')
    expect([a.leads, b.leads].filter(Boolean)).toHaveLength(1)
  })
})

describe('clocks that differ', () => {
  test.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('do no harm: a process an hour %s neither takes the lease nor waits longer', async (_, by) => {
    const a = stage.start('a')
    await env.settle()
    const b = stage.start('b', { clock: stage.skewed(by) })
    await env.advance('10m')
    expect([a.leads, b.leads]).toEqual([true, false])
    a.cutOff()
    await env.advance('25s')
    expect(b.leads).toBe(true)
  })

  test('do no harm when a leader’s is set while it leads', async () => {
    const a = stage.start('a')
    await env.settle()
    const b = stage.start('b')
    await env.advance('1m')
    env.clock.jumpTo('2030-01-01T00:00:00Z')
    await env.advance('1m')
    env.clock.jumpTo('2020-01-01T00:00:00Z')
    await env.advance('1m')
    expect([a.leads, b.leads]).toEqual([true, false])
    expect((await stage.lease())?.renewTime).toContain(timestamp(env.clock.now()).slice(0, 16))
  })
})

describe('the lease', () => {
  test('of a process that crashed is taken when it has run out', async () => {
    await client.create(Lease, {
      metadata: LEASE,
      spec: { holderIdentity: 'crashed', leaseDurationSeconds: 15, renewTime: '2020-01-01T00:00:00.000000Z' },
    })
    const b = stage.start('b')
    await env.advance('14s')
    expect(b.leads).toBe(false)
    await env.advance('10s')
    expect(b.leads).toBe(true)
  })

  test('is created again after it was deleted', async () => {
    const a = stage.start('a')
    await env.settle()
    await client.delete(Lease, LEASE)
    await env.advance('10s')
    expect(a.leads).toBe(true)
    expect((await stage.lease())?.holderIdentity).toBe('a')
  })

  test('keeps what others wrote on it', async () => {
    const a = stage.start('a')
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
      const a = stage.start('a', { slowLease: true, election: { releaseOnStop } })
      await env.advance('500ms')
      expect((await stage.lease())?.holderIdentity).toBe('a')
      a.stop.abort()
      await env.advance('3s')
      await a.running
      expect((await stage.lease())?.holderIdentity).toBeUndefined()
      expect([a.leads, a.writes()]).toEqual([false, []])
      const b = stage.start('b')
      await env.advance('5s')
      expect(b.leads).toBe(true)
    },
  )

  test('gives the lease up that it was renewing, where it was asked to', async () => {
    const a = stage.start('a', { election: { releaseOnStop: true } })
    await env.advance('5s')
    a.slowDown()
    const { renewTime } = await stage.lease()
    while ((await stage.lease())?.renewTime === renewTime) await env.advance('100ms')
    a.stop.abort()
    await env.advance('3s')
    await a.running
    expect((await stage.lease())?.holderIdentity).toBeUndefined()
    expect(a.lines.join('')).not.toContain('could not be released')
  })

  test('waits no longer than half the renew deadline where no answer comes', async () => {
    const a = stage.start('a')
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
    stage.start('a')
    await env.settle()
    const b = stage.start('b')
    await env.advance('1m')
    const before = env.clock.monotonic()
    b.stop.abort()
    await b.running
    expect(env.clock.monotonic()).toBe(before)
  })

  test('runs a controller that needs no leader, which may write', async () => {
    stage.start('a')
    await env.settle()
    const b = stage.start('b', { controller: { needLeaderElection: false } })
    await stage.work()
    await env.settle()
    expect([b.leads, b.writes().length]).toEqual([false, 1])
  })

  test('has its caches full before it leads where it warms up, and reconciles nothing', async () => {
    const a = stage.start('a')
    await env.settle()
    await stage.work()
    const b = stage.start('b', { controller: { enableWarmUp: true } })
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
      transport: stage.transport,
      clock: env.clock,
      leaderElection: { name: 'x', identity: 'a' },
    })
    await expect(manager.start({ signal: new AbortController().signal })).rejects.toThrow(
      /set leaderElection.namespace/,
    )
  })
})
