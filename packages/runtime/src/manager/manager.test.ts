import { HomeostatError, SimulatedClock, type ApiHandler } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { describe, expect, test, vi } from 'vitest'
import { controller } from '../controller/builder.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { ManagerOptions } from './manager-options.ts'
import { Manager } from './manager.ts'

const idle = controller('idle')
  .for(ConfigMap)
  .reconcile(() => {})

/** A server that refuses everything: enough for tests that need no answer. */
const refusing: ApiHandler = () =>
  Promise.resolve({
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(
      '{"kind":"Status","apiVersion":"v1","status":"Failure","code":403,"reason":"Forbidden"}',
    ),
  })

function setUp(options: ManagerOptions = {}) {
  const clock = new SimulatedClock()
  const transport = directTransport(refusing, { clock })
  return { clock, transport, manager: new Manager({ clock, transport, logger: silentLogger, ...options }) }
}

describe('invalid use is refused, with a remedy', () => {
  test('two controllers of one name', () => {
    expect(() => setUp().manager.add(idle, idle)).toThrow(
      /two controllers or runnables are named idle: the name is the field manager of their writes/,
    )
  })

  test('a manager that is started twice, or gets a controller after its start', async () => {
    const { manager } = setUp()
    await manager.start({ signal: AbortSignal.abort() })
    await expect(manager.start({ signal: AbortSignal.abort() })).rejects.toThrow(/was already started/)
    expect(() => manager.add(idle)).toThrow(/the controller idle cannot be added/)
  })

  test('options that are not durations or limits', () => {
    expect(() => setUp({ gracefulShutdownTimeout: -1 })).toThrow(/not a duration/)
    expect(() => setUp({ resync: 'daily' as '1h' })).toThrow(/not a duration/)
    expect(() => setUp({ requests: { perSecond: 0 } })).toThrow(/a limit of 0 requests a second/)
  })
})

describe('a manager', () => {
  test('stops when the signal aborts, and leaves no timer and no listener', async () => {
    const { clock, manager } = setUp()
    const stop = new AbortController()
    const running = manager.add(idle).start({ signal: stop.signal })
    await clock.advance('10m')
    stop.abort()
    await clock.settle()
    await running
    expect(clock.nextDue()).toBeUndefined()
    expect(process.listenerCount('SIGTERM')).toBe(0)
  })

  test('leaves a transport open that it was given', async () => {
    const { manager, transport } = setUp()
    const close = vi.spyOn(transport, 'close')
    await manager.start({ signal: AbortSignal.abort() })
    expect(close).not.toHaveBeenCalled()
  })

  test('counts its requests', async () => {
    const { clock, manager } = setUp()
    const stop = new AbortController()
    const running = manager.add(idle).start({ signal: stop.signal })
    await clock.settle()
    expect(manager.metrics.page()).toMatch(
      /rest_client_requests_total\{code="403",host="in-process",method="GET"\} \d+/,
    )
    stop.abort()
    await running
  })

  test('rejects, and ends everything, when a controller cannot run', async () => {
    const { clock, manager } = setUp()
    const broken = controller('broken')
      .watches(
        { name: 'broken', start: () => Promise.reject(new HomeostatError('NO_SOURCE', 'no such source')) },
        () => [],
      )
      .reconcile(() => {})
    const running = manager.add(idle, broken).start({ signal: new AbortController().signal })
    await expect(running).rejects.toThrow('no such source')
    await expect(manager.synced).rejects.toThrow('no such source')
    expect(clock.nextDue()).toBeUndefined()
  })
})

describe('the page of metrics', () => {
  test('is served while the manager runs, on this machine only', async () => {
    const { manager } = setUp({ metrics: { port: 0 } })
    const stop = new AbortController()
    manager.metrics.gauge('mine', 'A number of my own.').set(7)
    const running = manager.start({ signal: stop.signal })
    await vi.waitFor(() => expect(manager.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/), {
      timeout: 60_000,
    })
    const answer = await fetch(manager.metricsUrl!)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const page = await answer.text()
    expect(page).toContain('mine 7\n')
    expect(page).toMatch(/\nprocess_cpu_seconds_total [\d.]+\n/)
    expect(page).toMatch(/\nprocess_resident_memory_bytes \d{7,}\n/)
    expect(page).toMatch(/\nprocess_start_time_seconds [\d.]+\n/)
    expect((await fetch(new URL('/', manager.metricsUrl))).status).toBe(404)
    expect((await fetch(manager.metricsUrl!, { method: 'POST' })).status).toBe(405)
    stop.abort()
    await running
    await expect(fetch(manager.metricsUrl!)).rejects.toThrow('fetch failed')
  })

  test('whose port is in use fails with a remedy', async () => {
    const first = setUp({ metrics: { port: 0 } }).manager
    const stop = new AbortController()
    const running = first.start({ signal: stop.signal })
    await vi.waitFor(() => expect(first.metricsUrl).toBeDefined(), { timeout: 60_000 })
    const port = Number(new URL(first.metricsUrl!).port)
    const second = setUp({ metrics: { port } }).manager
    await expect(second.start({ signal: stop.signal })).rejects.toThrow(
      new RegExp(`cannot be opened on 127.0.0.1:${port}: another process uses it`),
    )
    stop.abort()
    await running
  })
})

describe('the pages for probes', () => {
  test('report whether the process is alive and whether its caches are synced', async () => {
    const { clock, manager } = setUp({ health: { port: 0 } })
    const stop = new AbortController()
    const running = manager.add(idle).start({ signal: stop.signal })
    await vi.waitFor(() => expect(manager.healthUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/), {
      timeout: 60_000,
    })
    await clock.settle()
    const get = async (path: string): Promise<[number, string]> => {
      const answer = await fetch(`${manager.healthUrl}${path}`)
      return [answer.status, await answer.text()]
    }
    expect(await get('/healthz')).toEqual([200, 'ok'])
    expect(await get('/healthz/ping')).toEqual([200, 'ok'])
    expect(await get('/readyz')).toEqual([500, '[-]caches failed: the log says why\nreadyz check failed\n'])
    expect(await get('/readyz?exclude=caches')).toEqual([200, 'ok'])
    expect((await get('/metrics'))[0]).toBe(404)
    stop.abort()
    await running
  })

  test('share a port with the metrics where it is the same', async () => {
    const probe = setUp({ metrics: { port: 0 } }).manager
    const stop = new AbortController()
    const probing = probe.start({ signal: stop.signal })
    await vi.waitFor(() => expect(probe.metricsUrl).toBeDefined(), { timeout: 60_000 })
    const port = Number(new URL(probe.metricsUrl!).port)
    stop.abort()
    await probing
    const { manager } = setUp({ metrics: { port }, health: { port } })
    const end = new AbortController()
    const running = manager.start({ signal: end.signal })
    await vi.waitFor(() => expect(manager.healthUrl).toBe(`http://127.0.0.1:${port}`), { timeout: 60_000 })
    expect((await fetch(`${manager.healthUrl}/readyz`)).status).toBe(200)
    expect((await fetch(manager.metricsUrl!)).status).toBe(200)
    end.abort()
    await running
  })
})

describe('without a signal', () => {
  test('SIGTERM stops the manager, and a second one ends the process with 1', async () => {
    const { clock, manager } = setUp()
    const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never)
    const running = manager.start()
    await vi.waitFor(() => expect(process.listenerCount('SIGTERM')).toBe(1), { timeout: 60_000 })
    process.emit('SIGTERM', 'SIGTERM')
    expect(exit).not.toHaveBeenCalled()
    process.emit('SIGINT', 'SIGINT')
    expect(exit).toHaveBeenCalledWith(1)
    exit.mockRestore()
    await clock.settle()
    await running
    expect([process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')]).toEqual([0, 0])
  })
})
