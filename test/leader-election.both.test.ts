import { controller, Manager, silentLogger, type Transport } from 'homeostat'
import { ConfigMap, Lease } from 'homeostat/kinds'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
const stops: AbortController[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const stop of stops) stop.abort()
  await server?.close()
})

/** A process that competes for the lease; `cutOff` leaves its requests without an answer. */
function start(name: string) {
  const stop = new AbortController()
  stops.push(stop)
  let connected = true
  const transport: Transport = {
    ...server.transport,
    send(request) {
      if (connected) return server.transport.send(request)
      return new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason), { once: true })
      })
    },
  }
  const idle = controller('idle')
    .for(ConfigMap)
    .reconcile(() => {})
  const manager = new Manager({
    transport,
    clock: server.clock,
    logger: silentLogger,
    leaderElection: {
      name: 'both',
      namespace: server.namespace,
      identity: name,
      // Long enough that a busy machine does not make a leader of the real server late with a renewal.
      leaseDuration: '15s',
      renewDeadline: '10s',
      retryPeriod: '300ms',
      releaseOnStop: true,
    },
  }).add(idle)
  const ended = manager.start({ signal: stop.signal }).then(
    () => 'stopped',
    (error: { code: string }) => error.code,
  )
  return { stop: () => stop.abort(), ended, cutOff: () => void (connected = false) }
}

const lease = async () =>
  (await server.client.get(Lease, { name: 'both', namespace: server.namespace }))?.spec

const holder = async () => (await lease())?.holderIdentity

test('the lease goes from one process to the next: by an orderly stop, and by silence', async () => {
  const a = start('a')
  await server.until('the first leader', async () => (await holder()) === 'a')
  const b = start('b')
  const c = start('c')
  a.stop()
  expect(await a.ended).toBe('stopped')
  const second = await server.until('the second leader', async () => {
    const name = await holder()
    return name && name !== 'a' && name
  })
  const [leader, other] = second === 'b' ? [b, c] : [c, b]
  leader.cutOff()
  await server.until('the third leader', async () => {
    const name = await holder()
    return name && name !== 'a' && name !== second
  })
  // Only a process that has renewed the lease knows that it holds it, and has something to release when it stops.
  await server.until('its first renewal', async () => {
    const { acquireTime, renewTime } = (await lease()) ?? {}
    return renewTime !== acquireTime
  })
  expect(await leader.ended).toBe('LEADER_ELECTION_LOST')
  other.stop()
  expect(await other.ended).toBe('stopped')
  expect(await holder()).toBeUndefined()
})
