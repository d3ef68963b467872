import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { admission, createLogger, Manager, SystemClock } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const ROTATIONS = 50
const WRITES_PER_SECOND = 100

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.call(
    'DELETE',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/load-test',
  )
  await server.close()
})

/** Leads connections to the replicas in turn, as a Service does. */
async function openService(ports: () => readonly number[]) {
  const sockets = new Set<Socket>()
  let next = 0
  const proxy = createServer((incoming) => {
    const open = ports()
    const port = open[next++ % open.length]
    if (port === undefined) return incoming.destroy()
    const outgoing = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
    }
    return undefined
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    connections: () => next,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

// It depends on how soon a server and this process get their turns, so it does not decide about a change: `npm test rotations` runs it.
const isAskedFor = process.env['HOMEOSTAT_ROTATIONS'] !== undefined

it.skipIf(!isAskedFor)(
  'no write is refused while certificates are renewed fifty times under two replicas',
  async () => {
    const clock = new SystemClock()
    const { namespace, transport } = server
    let reviews = 0
    const webhook = admission(ConfigMap).validates(
      { create: () => void reviews++ },
      {
        failurePolicy: 'Fail',
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      },
    )
    const managers: Manager[] = []
    const service = await openService(() =>
      managers.flatMap(({ webhooksUrl }) =>
        webhooksUrl === undefined ? [] : [Number(new URL(webhooksUrl).port)],
      ),
    )
    const stop = new AbortController()
    const used = new Map<string, number>()
    const running = ['one', 'two'].map((identity) => {
      const write = (line: string): void => {
        if (line.includes('use a renewed certificate')) used.set(identity, (used.get(identity) ?? 0) + 1)
      }
      const logger = createLogger({ clock, format: 'text', write })
      const leaderElection = { name: 'load-test', namespace, identity, releaseOnStop: true }
      const manager = new Manager({ clock, transport, logger, leaderElection })
      manager.addWebhooks([webhook], {
        name: 'load-test',
        url: service.url,
        host: '127.0.0.1',
        port: 0,
        install: true,
        // As often as the manager renews at all: a second after its watch has shown the new authority.
        certificates: { secret: 'load-test', validity: '20s', renewBefore: '19.999s' },
      })
      managers.push(manager)
      return manager.start({ signal: stop.signal })
    })
    await server.until('the webhook is called', async () => {
      await create(0)
      return reviews > 0
    })
    const refused: string[] = []
    let written = 0
    const began = clock.monotonic()
    const isRotating = (): boolean =>
      Math.min(...['one', 'two'].map((name) => used.get(name) ?? 0)) < ROTATIONS
    const pending = new Set<Promise<unknown>>()
    const write = async (index: number): Promise<void> => {
      const { status, body } = await create(index)
      written++
      if (status !== 201) refused.push(`write ${index}: ${status} ${body.message}`)
    }
    for (let index = 1; isRotating(); index++) {
      const due = began + (index * 1000) / WRITES_PER_SECOND
      if (clock.monotonic() < due) await clock.sleep(due - clock.monotonic())
      if (pending.size >= WRITES_PER_SECOND) await Promise.race(pending)
      const writing: Promise<unknown> = write(index).finally(() => pending.delete(writing))
      pending.add(writing)
      if (clock.monotonic() - began > 150_000) break
    }
    await Promise.all(pending)
    const seconds = (clock.monotonic() - began) / 1000
    stop.abort()
    await Promise.all(running)
    await service.close()
    // eslint-disable-next-line no-console -- the figures are what the test is for
    console.log(
      `${written} writes in ${seconds.toFixed(1)} s (${(written / seconds).toFixed(0)} a second), ${reviews} reviews over ${service.connections()} connections, certificates used: ${used.get('one')} and ${used.get('two')} times renewed, refused: ${refused.length}`,
    )
    expect(refused).toEqual([])
    expect(isRotating()).toBe(false)
    expect(reviews).toBeGreaterThanOrEqual(written)
  },
  240_000,
)

function create(index: number) {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `write-${index}` } }
  const path = `/api/v1/namespaces/${server.namespace}/configmaps`
  return index === 0
    ? server.call('POST', `${path}?dryRun=All`, { body })
    : server.call('POST', path, { body })
}
