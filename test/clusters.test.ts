import { SimulatedClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import {
  ClusterConnection,
  controller,
  createClient,
  createLogger,
  directTransport,
  Manager,
  silentLogger,
  WatchedKinds,
  type Client,
  type ManagerOptions,
  type Transport,
} from 'homeostat'
import { ConfigMap, Event, Secret, Service } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let clock: SimulatedClock
let home: Side
let edge: Side
let ends: (() => Promise<void>)[]

/** A cluster, and a client that works on it without the manager. */
interface Side {
  readonly server: ApiServer
  readonly transport: Transport
  readonly client: Client
}

async function side(): Promise<Side> {
  const server = await ApiServer.start({ clock })
  const transport = directTransport(server.handler, { clock })
  return { server, transport, client: createClient({ transport, clock, fieldManager: 'test' }) }
}

beforeEach(async () => {
  clock = new SimulatedClock()
  ;[home, edge] = [await side(), await side()]
  ends = []
})
afterEach(async () => {
  for (const end of ends) await end()
  for (const { server, transport } of [home, edge]) {
    await transport.close()
    await server.close()
  }
})

function start(manager: Manager): { running: Promise<void>; end: () => Promise<void> } {
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  running.catch(() => {})
  const end = async (): Promise<void> => {
    stop.abort()
    await clock.advance('31s')
    await running.catch(() => {})
  }
  ends.push(end)
  return { running, end }
}

const managerOf = (options: ManagerOptions = {}) =>
  new Manager({ transport: home.transport, clock, logger: silentLogger, ...options })
const at = (name: string) => ({ namespace: 'default', name })

/** Copies each Secret of the other cluster into a ConfigMap of the same name at home, and says there that it did. */
function copierOf(cluster: ClusterConnection) {
  return controller('copier')
    .watches(cluster.kind(Secret), ({ metadata }) => at(metadata.name))
    .reconcile(async (request, context) => {
      const there = cluster.clientFor(context)
      const secret = await there.get(Secret, at(request.name))
      if (!secret) {
        await context.client.delete(ConfigMap, at(request.name))
        return
      }
      await context.client.apply(ConfigMap, { metadata: at(request.name), data: { copied: 'yes' } })
      await there.apply(Secret, { metadata: { ...at(request.name), annotations: { copied: 'yes' } } })
    })
}

describe('another cluster', () => {
  test('has its contested fields told by an event at home', async () => {
    const cluster = new ClusterConnection('edge', { transport: edge.transport })
    const publisher = controller('publisher')
      .for(Secret)
      .watches(cluster.kind(ConfigMap), ({ metadata }) => at(metadata.name))
      .reconcile(async (request, context) => {
        if (request.name !== 'a' || !(await context.client.get(Secret, at('a')))) return
        await cluster.clientFor(context).apply(ConfigMap, { metadata: at('a'), data: { by: 'publisher' } })
      })
    start(managerOf().addCluster(cluster).add(publisher))
    const { metadata } = await home.client.create(Secret, { metadata: at('a') })
    await clock.settle()
    for (let times = 0; times < 4; times++) {
      const body = { data: { by: 'rival' } }
      await edge.client.patch(ConfigMap, at('a'), { type: 'merge', body }, { fieldManager: 'rival' })
      await clock.settle()
      expect((await edge.client.getOrThrow(ConfigMap, at('a'))).data).toEqual({ by: 'publisher' })
    }
    const [event] = await home.client.list(Event)
    expect(event).toMatchObject({
      reason: 'FieldContested',
      regarding: { kind: 'Secret', uid: metadata.uid },
    })
    expect(event?.note).toContain(
      'rival keeps changing data.by of ConfigMap default/a in the cluster edge, and publisher keeps changing it back',
    )
    expect(await edge.client.list(Event)).toEqual([])
  })

  test('does not hide an endless loop of writes to it', async () => {
    const cluster = new ClusterConnection('edge', { transport: edge.transport })
    let runs = 0
    const counting = controller('counting')
      .watches(cluster.kind(ConfigMap), ({ metadata }) => at(metadata.name))
      .reconcile(async ({ name }, context) => {
        // It ends at some time, so that the test fails where the loop is not slowed down.
        if (name !== 'a' || ++runs > 1_000) return
        await cluster.clientFor(context).apply(ConfigMap, { metadata: at('a'), data: { runs: String(runs) } })
      })
    const lines: string[] = []
    const logger = createLogger({ format: 'text', clock, write: (line) => lines.push(line) })
    start(managerOf({ logger }).addCluster(cluster).add(counting))
    await edge.client.create(ConfigMap, { metadata: at('a') })
    await clock.advance('10m')
    expect(runs).toBeGreaterThan(100)
    expect(runs).toBeLessThan(200)
    expect(lines.filter((line) => line.includes('data.runs of ConfigMap default/a'))).toHaveLength(1)
  })

  test('can be watched, read and written by a controller, from its start to the end of the manager', async () => {
    await edge.client.create(Secret, { metadata: at('before') })
    const cluster = new ClusterConnection('edge', { transport: edge.transport })
    expect(() => cluster.cache).toThrow(/the cluster edge is not connected: add it with manager.addCluster/)
    const manager = managerOf().addCluster(cluster).add(copierOf(cluster))
    expect(() => manager.cluster.cache).toThrow(
      "the manager's cluster is not connected: use it while the manager runs",
    )
    const { end } = start(manager)
    await clock.settle()
    await edge.client.create(Secret, { metadata: at('after') })
    await clock.settle()
    const copies = async () =>
      (await home.client.list(ConfigMap, { namespace: 'default' }))
        .map(({ metadata }) => metadata.name)
        .filter((name) => name !== 'kube-root-ca.crt')
    expect(await copies()).toEqual(['after', 'before'])
    const secret = await edge.client.getOrThrow(Secret, at('after'))
    expect(secret.metadata.annotations).toEqual({ copied: 'yes' })
    expect(secret.metadata.managedFields?.map(({ manager }) => manager)).toContain('copier')
    await edge.client.delete(Secret, at('before'))
    await clock.settle()
    expect(await copies()).toEqual(['after'])
    const page = manager.metrics.page()
    expect(page).toMatch(/homeostat_cache_objects\{cluster="edge",[^}]*resource="secrets"[^}]*\} 1/)
    expect(page).toMatch(/homeostat_cache_objects\{content="object",[^}]*resource="configmaps"[^}]*\} \d/)
    expect(manager.rules().flatMap(({ resources }) => resources)).toEqual(['events'])
    await end()
    expect(() => cluster.cache).toThrow(/is not connected/)
    expect(clock.nextDue()).toBeUndefined()
  })

  test('that is down does not keep what is at home from working', async () => {
    const refusing = directTransport(() => Promise.reject(new Error('down')), { clock })
    const cluster = new ClusterConnection('edge', { transport: refusing })
    const seen: string[] = []
    const atHome = controller('home')
      .for(ConfigMap)
      .reconcile(({ name }) => void seen.push(name))
    start(managerOf().addCluster(cluster).add(atHome, copierOf(cluster)))
    await home.client.create(ConfigMap, { metadata: at('a') })
    await clock.advance('10s')
    expect(seen).toContain('a')
  })

  test('is not written to by a process that does not lead', async () => {
    const leaderElection = { name: 'lease', namespace: 'default', identity: 'me' }
    const cluster = new ClusterConnection('edge', { transport: edge.transport })
    const free = new ClusterConnection('free', { transport: edge.transport, needLeaderElection: false })
    await home.client.create(ConfigMap, { metadata: at('x') })
    const outcomes: unknown[] = []
    const manager = managerOf({ leaderElection })
      .addCluster(cluster)
      .addCluster(free)
      .addRunnable(
        'writer',
        async (context) => {
          for (const each of [cluster, free]) {
            await each
              .clientFor(context)
              .create(ConfigMap, { metadata: at(`by-${each.name}`) })
              .then(
                () => outcomes.push(`${each.name} was written`),
                (error: { code: string }) => outcomes.push(error.code),
              )
          }
        },
        { needLeaderElection: false },
      )
    start(manager)
    await clock.settle()
    expect(outcomes).toEqual(['LEADER_ELECTION_LOST', 'free was written'])
  })

  test('needs a name of its own, before the start, and one manager at a time', async () => {
    const cluster = new ClusterConnection('edge', { transport: edge.transport })
    const manager = managerOf().addCluster(cluster)
    expect(() => manager.addCluster(new ClusterConnection('edge'))).toThrow(
      /a cluster cannot be named "edge"/,
    )
    expect(() => manager.addCluster(new ClusterConnection(''))).toThrow(/a cluster cannot be named ""/)
    start(manager)
    await clock.settle()
    expect(() => manager.addCluster(new ClusterConnection('late'))).toThrow(
      /the cluster late cannot be added/,
    )
    const { running } = start(managerOf().addCluster(cluster))
    await expect(running).rejects.toThrow(/the cluster edge already belongs to a running manager/)
    expect(() => new ClusterConnection('x', { resync: 'soon' as '1h' })).toThrow(/not a duration/)
  })
})

test('kinds that a controller watches come and go while it runs', async () => {
  const kinds = new WatchedKinds('chosen', [ConfigMap])
  const seen: string[] = []
  const watcher = controller('watcher')
    .watches(kinds, ({ metadata }) => at(metadata.name))
    .reconcile(({ name }, { causes }) => void seen.push(`${causes[0]?.type} ${name}`))
  const manager = managerOf().add(watcher)
  start(manager)
  await clock.settle()
  await home.client.create(Service, { metadata: at('web'), spec: { ports: [{ port: 80 }] } })
  await home.client.create(ConfigMap, { metadata: at('a') })
  await clock.settle()
  expect(seen).toEqual(['created a'])
  kinds.add(Service)
  await clock.settle()
  expect(seen).toContain('start web')
  kinds.remove(ConfigMap)
  await home.client.create(ConfigMap, { metadata: at('b') })
  await clock.settle()
  expect(seen).not.toContain('created b')
  await clock.advance('11m')
  expect(manager.metrics.page()).not.toContain('resource="configmaps"')
  expect(manager.metrics.page()).toContain('resource="services"')
})
