import { customResourceDefinition, defineKind, printKind, schema as s, SimulatedClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import { Cluster as LocalCluster } from '@homeostat/cluster'
import { OperatorTest } from '@homeostat/cluster/testing'
import {
  cacheKind,
  Channel,
  ClusterConnection,
  connect,
  controller,
  createClient,
  createLogger,
  createOrPatch,
  createOrUpdate,
  directTransport,
  handlers,
  InformerCache,
  loadConfig,
  Manager,
  mergeFrom,
  namespacedClient,
  operator,
  retryOnConflict,
  run,
  watchKind,
} from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/**
 * An option that does not exist has no effect, and a caller that misspells one does not notice. The compiler finds that in
 * literals alone, so every function of the public API refuses it at run time, and names the option.
 */
const key = { namespace: 'default', name: 'a' }
const Sample = defineKind({ group: 'demo.example.com', version: 'v1', kind: 'Sample', spec: s.object({}) })

let environment: TestEnvironment
beforeAll(async () => void (environment = await TestEnvironment.start({ kinds: [Sample] })))
afterAll(() => environment.close())

/** Options of any type: the right ones that a call needs, and one that does not exist. */
const wrong = (options: object = {}): any => ({ ...options, surprise: 1 })
const clock = new SimulatedClock()

function server() {
  return {
    transport: directTransport(environment.handler, { clock: environment.clock }),
    clock: environment.clock,
  }
}

function cached() {
  const { transport, clock } = server()
  return createClient({ transport, clock, cache: new InformerCache({ transport, clock }) })
}

const live = () => createClient(server())
const base = () => controller('a').for(ConfigMap)
const manager = (options: object) => new Manager({ ...server(), ...options })

const calls: Readonly<Record<string, () => unknown>> = {
  'client.get': () => live().get(ConfigMap, key, wrong()),
  'client.get of a cache': () => cached().get(ConfigMap, key, wrong()),
  'client.getOrThrow': () => live().getOrThrow(ConfigMap, key, wrong()),
  'client.list': () => live().list(ConfigMap, wrong()),
  'client.list of a cache': () => cached().list(ConfigMap, wrong()),
  'client.live.get': () => cached().live.get(ConfigMap, key, wrong()),
  'client.live.list': () => cached().live.list(ConfigMap, wrong()),
  'client.pages': () => live().pages(ConfigMap, wrong())[Symbol.asyncIterator]().next(),
  'client.create': () => live().create(ConfigMap, { metadata: key }, wrong()),
  'client.update': () => live().update(ConfigMap, { metadata: key } as any, wrong()),
  'client.patch': () => live().patch(ConfigMap, key, { type: 'merge', body: { data: {} } }, wrong()),
  'client.patch of nothing': () => live().patch(ConfigMap, key, { type: 'merge', body: {} }, wrong()),
  'client.apply': () => live().apply(ConfigMap, { metadata: key }, wrong()),
  'client.delete': () => live().delete(ConfigMap, key, wrong()),
  'client.delete, preconditions': () => live().delete(ConfigMap, key, { preconditions: wrong() }),
  'client.deleteAllOf': () => live().deleteAllOf(ConfigMap, wrong()),
  'client.status.apply': () => live().status.apply(Deployment, key, {}, wrong()),
  'client.status.patch': () => live().status.patch(Deployment, key, { type: 'merge', body: {} }, wrong()),
  'client.status.update': () => live().status.update(Deployment, { metadata: key } as any, wrong()),
  'client.scale.get': () => live().scale.get(Deployment, key, wrong()),
  'client.scale.apply': () => live().scale.apply(Deployment, key, { replicas: 1 }, wrong()),
  'client.scale.update': () => live().scale.update(Deployment, { metadata: key } as any, wrong()),
  'client.subresource().create': () => live().subresource('eviction').create(ConfigMap, key, {}, wrong()),
  'client.subresource().get': () => live().subresource('status').get(Deployment, key, wrong()),
  'client.subresource().update': () => live().subresource('status').update(Deployment, key, {}, wrong()),
  'client.subresource().patch': () =>
    live().subresource('status').patch(Deployment, key, { type: 'merge', body: {} }, wrong()),
  'client.kinds.find': () => live().kinds.find('v1', 'Unheard', wrong()),
  'client.kinds.list': () => live().kinds.list(wrong()),
  createClient: () => createClient(wrong(server())),
  createOrUpdate: () => createOrUpdate(live(), ConfigMap, key, () => {}, wrong()),
  createOrPatch: () => createOrPatch(live(), ConfigMap, key, () => {}, wrong()),
  mergeFrom: () => mergeFrom({ a: 1 }, { a: 2 }, wrong()),
  retryOnConflict: () => retryOnConflict(clock, async () => {}, wrong()),
  'controller.for': () => controller('a').for(ConfigMap, wrong()),
  'controller.owns': () => base().owns(Deployment, wrong()),
  'controller.watches': () => base().watches(Deployment, () => undefined, wrong()),
  'controller.options': () => base().options(wrong()),
  'controller.options, retries': () => base().options({ retries: wrong() }),
  'controller.reconcile': () => base().reconcile(() => {}, wrong()),
  'handlers.forOwner': () => handlers.forOwner(ConfigMap, wrong()),
  Channel: () => new Channel('a', wrong()),
  'channel.send': () => new Channel<string>('a').send('text', wrong()),
  Manager: () => new Manager(wrong(server())),
  'Manager, cache': () => manager({ cache: wrong() }),
  'Manager, cache.kinds': () => manager({ cache: { kinds: [wrong({ kind: ConfigMap })] } }),
  'Manager, requests': () => manager({ requests: wrong({ perSecond: 1 }) }),
  'Manager, metrics': () => manager({ metrics: wrong() }),
  'Manager, health': () => manager({ health: wrong() }),
  'Manager, health.tls': () => manager({ health: { tls: wrong({ certFile: 'a', keyFile: 'b' }) } }),
  'Manager, profiling': () => manager({ profiling: wrong() }),
  'Manager, leaderElection': () => manager({ leaderElection: wrong({ name: 'a' }) }),
  'Manager, controllers': () => manager({ controllers: wrong() }),
  'manager.addRunnable': () => manager({}).addRunnable('a', () => {}, wrong()),
  operator: () => operator('a', wrong()),
  'operator, runnables': () => operator('a', { runnables: [wrong({ name: 'b', run: () => {} })] }),
  'operator, manager': () => operator('a', { manager: wrong() }),
  run: () => run(operator('a', {}), wrong({ signal: AbortSignal.abort() })),
  ClusterConnection: () => new ClusterConnection('a', wrong({ transport: server().transport })),
  cacheKind: () => cacheKind(ConfigMap, wrong()),
  InformerCache: () => new InformerCache(wrong(server())),
  createLogger: () => createLogger(wrong()),
  directTransport: () => directTransport(environment.handler, wrong({ clock })),
  connect: () => connect({ handler: environment.handler }, wrong({ clock })),
  'connect over the network': () => connect({ server: 'http://127.0.0.1:1' } as any, wrong({ clock })),
  loadConfig: () => loadConfig(wrong()),
  watchKind: () => watchKind(wrong({ ...server(), kind: ConfigMap })).next(),
  SimulatedClock: () => new SimulatedClock(wrong()),
  customResourceDefinition: () => customResourceDefinition([Sample], wrong()),
  printKind: () => printKind(customResourceDefinition(Sample), wrong()),
  defineKind: () =>
    defineKind(wrong({ group: 'a.example.com', version: 'v1', kind: 'A', spec: s.object({}) })),
  'schema.rule': () => s.string().rule('true', 'never', wrong()),
  'ApiServer.start': () => ApiServer.start(wrong()),
  'TestEnvironment.start': () => TestEnvironment.start(wrong()),
  'environment.call': () => environment.call('GET', '/version', wrong()),
  'environment.watch': () => environment.watch('/api/v1/configmaps?watch=true', wrong()),
  'ApiServer.start, serviceAccounts': () => ApiServer.start({ serviceAccounts: wrong() }),
  'Cluster.start': () => LocalCluster.start(wrong({ port: false })),
  'cluster.connect': () => LocalCluster.prototype.connect('a', 1, wrong()),
  'cluster.install': () => LocalCluster.prototype.install(operator('a', {}), wrong()),
  'cluster.forward': () => LocalCluster.prototype.forward(wrong({ service: key })),
  'cluster.logs': () => LocalCluster.prototype.logs(wrong({ namespace: 'a', pod: 'b' })).next(),
  'Cluster.start, nodes': () => LocalCluster.start({ port: false, nodes: [wrong({ name: 'a' })] }),
  'server.listen': () => environment.server.listen(wrong()),
  'OperatorTest.start of an operator': () => OperatorTest.start(operator('a', {}), wrong()),
  'OperatorTest.start': () => OperatorTest.start(wrong({ controllers: [] })),
  'OperatorTest.start, manager': () => OperatorTest.start({ controllers: [], manager: wrong() }),
}

describe('an option that does not exist', () => {
  it.each(Object.keys(calls))('is refused by %s', async (name) => {
    await expect(async () => calls[name]!()).rejects.toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^(OPTION_UNKNOWN|CONTROLLER_OPTIONS_INVALID)$/),
        message: expect.stringContaining('"surprise"'),
      }),
    )
  })

  it('names the nearest one that does', () => {
    expect(() => base().options({ maxConcurentReconciles: 2 } as object)).toThrow(
      'did you mean maxConcurrentReconciles?',
    )
    expect(() => base().options({ retries: { bse: '1s' } as object })).toThrow('did you mean base?')
  })

  it('is a name in a list, which would otherwise select all', async () => {
    const request: object = key
    await expect(live().list(ConfigMap, request)).rejects.toThrow(
      'client.list has no option "name": use client.get for one object, or fields: { "metadata.name": … }',
    )
    await expect(live().deleteAllOf(ConfigMap, request)).rejects.toThrow('use client.delete for one object')
  })

  it('is found by a client that is kept to a namespace', async () => {
    const kept = namespacedClient(live(), 'default')
    await expect(kept.list(ConfigMap, wrong())).rejects.toThrow('"surprise"')
    expect(await kept.list(ConfigMap)).toEqual([])
  })
})
