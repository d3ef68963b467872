import { createServer } from 'node:net'
import { SimulatedClock } from '@homeostat/api'
import { Deployment, Pod, Service, StatefulSet } from '@homeostat/api/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import type { Container, ContainerModule } from './images/index.ts'

const namespace = 'default'
const labels = { app: 'db' }
/** On a busy machine everything takes longer. */
const SLOW = { timeout: 120_000 }

/** Sends its Pod's name to each client. What the system does for it takes no simulated time. */
const greeter: ContainerModule = async (container) => {
  const { address, pod, signal, clock } = container
  const server = createServer((socket) => socket.on('error', () => undefined).end(pod.name))
  const starting = clock.busy('the start of a server')
  await new Promise<void>((resolve) => server.listen(container.port(3000), address, resolve))
  starting.end()
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  using _ending = clock.busy('the end of a server')
  await new Promise((resolve) => server.close(resolve))
}

let clock: SimulatedClock
let cluster: Cluster
let peer: Container

beforeEach(async () => {
  clock = new SimulatedClock()
  const asker: ContainerModule = (container) => {
    peer = container
    return new Promise((resolve) =>
      container.signal.addEventListener('abort', () => resolve(), { once: true }),
    )
  }
  cluster = await Cluster.start({
    clock,
    port: false,
    images: { greeter: { module: greeter }, asker: { module: asker } },
  })
  await cluster.client.create(Pod, {
    metadata: { namespace, name: 'asker' },
    spec: { containers: [{ name: 'asker', image: 'asker' }] },
  })
  await clock.settle()
})
afterEach(() => cluster.close())

const template = {
  metadata: { labels },
  spec: { containers: [{ name: 'db', image: 'greeter', ports: [{ name: 'db', containerPort: 3000 }] }] },
}

/** The text that a container gets when it connects there. */
async function heard(host: string, port: number): Promise<string> {
  const connection = await peer.connect(host, port)
  const text = await new Response(connection.readable).text()
  connection.close()
  return text
}

it('the Pods of a StatefulSet have names of their own', SLOW, async () => {
  await cluster.client.create(Service, {
    metadata: { namespace, name: 'db' },
    spec: { clusterIP: 'None', selector: labels, ports: [{ port: 3000, targetPort: 'db' }] },
  })
  await cluster.client.create(StatefulSet, {
    metadata: { namespace, name: 'db' },
    spec: { serviceName: 'db', replicas: 2, selector: { matchLabels: labels }, template },
  })
  await clock.settle()
  expect(await heard('db-1.db', 3000)).toBe('db-1')
  expect(await heard('db-0.db.default.svc.cluster.local', 3000)).toBe('db-0')
  await cluster.client.delete(StatefulSet, { namespace, name: 'db' })
  await clock.settle()
  await expect(heard('db-1.db', 3000)).rejects.toMatchObject({ code: 'HOST_NOT_FOUND' })
})

it('a Service follows its Pods as they come and go', SLOW, async () => {
  await cluster.client.create(Service, {
    metadata: { namespace, name: 'db' },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 'db' }] },
  })
  await clock.settle()
  await expect(heard('db', 80)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' })
  const key = { namespace, name: 'db' }
  await cluster.client.create(Deployment, {
    metadata: key,
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  })
  await clock.settle()
  const names = new Set<string>()
  for (let turn = 0; turn < 3; turn++) names.add(await heard('db', 80))
  expect(names.size).toBe(3)
  await cluster.client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 1 } } })
  await clock.settle()
  const [left] = await cluster.client.list(Pod, { namespace, labels })
  expect([await heard('db', 80), await heard('db', 80)]).toEqual([left?.metadata.name, left?.metadata.name])
  await cluster.client.delete(Deployment, key)
  await clock.settle()
  await expect(heard('db', 80)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' })
})
