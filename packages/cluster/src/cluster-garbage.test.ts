import {
  customResourceDefinition,
  defineKind,
  schema as s,
  SimulatedClock,
  type KubernetesObject,
  type ObjectOf,
  type OwnerReference,
} from '@homeostat/api'
import {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Namespace,
  Pod,
  ReplicaSet,
} from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

const namespace = 'default'
const Thing = defineKind({ group: 'test.homeostat.dev', version: 'v1', kind: 'Thing', spec: s.object({}) })
const Realm = defineKind({
  group: 'test.homeostat.dev',
  version: 'v1',
  kind: 'Realm',
  scope: 'Cluster',
  spec: s.object({}),
})

let clock: SimulatedClock
let cluster: Cluster

beforeEach(async () => {
  clock = new SimulatedClock()
  cluster = await Cluster.start({ clock, port: false })
  for (const kind of [Thing, Realm]) {
    await cluster.client.create(CustomResourceDefinition, customResourceDefinition(kind))
  }
  await clock.settle()
})
afterEach(() => cluster.close())

function owner(object: unknown, rest: Partial<OwnerReference> = {}): OwnerReference {
  const { apiVersion, kind, metadata } = object as KubernetesObject
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...rest }
}
async function thing(name: string, owners: OwnerReference[] = []): Promise<ObjectOf<typeof Thing>> {
  const metadata = { namespace, name, ownerReferences: owners }
  return cluster.client.create(Thing, { metadata, spec: {} })
}
async function names(): Promise<string[]> {
  const [things, maps] = [
    await cluster.client.list(Thing),
    await cluster.client.list(ConfigMap, { namespace }),
  ]
  // The controller of root certificates creates a ConfigMap in every namespace.
  return [...things, ...maps]
    .map(({ metadata }) => metadata.name)
    .filter((name) => name !== 'kube-root-ca.crt')
}

describe('the garbage collector', () => {
  it('deletes what a custom object owned, through several steps', async () => {
    const top = await thing('top')
    const middle = await thing('middle', [owner(top)])
    await cluster.client.create(ConfigMap, {
      metadata: { namespace, name: 'leaf', ownerReferences: [owner(middle)] },
    })
    await clock.settle()
    expect(await names()).toEqual(['middle', 'top', 'leaf'])
    await cluster.client.delete(Thing, { namespace, name: 'top' })
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('keeps an object while one of its owners exists, and removes the references to the others', async () => {
    const [first, second] = [await thing('first'), await thing('second')]
    await thing('child', [owner(first), owner(second)])
    await clock.settle()
    await cluster.client.delete(Thing, { namespace, name: 'first' })
    await clock.settle()
    const child = await cluster.client.getOrThrow(Thing, { namespace, name: 'child' })
    expect(child.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['second'])
    await cluster.client.delete(Thing, { namespace, name: 'second' })
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('deletes an object whose owner never existed, or was another one of the same name', async () => {
    const real = await thing('real')
    await thing('orphan', [
      owner({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'none', uid: 'no' } }),
    ])
    await thing('mistaken', [owner(real, { uid: 'another' })])
    await clock.settle()
    expect(await names()).toEqual(['real'])
  })

  it('accepts no owner in another namespace', async () => {
    await cluster.client.create(Namespace, { metadata: { name: 'elsewhere' } })
    const abroad = await cluster.client.create(ConfigMap, {
      metadata: { namespace: 'elsewhere', name: 'abroad' },
    })
    await clock.settle()
    await thing('child', [owner(abroad)])
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('accepts a cluster-scoped owner for objects of any namespace', async () => {
    const realm = await cluster.client.create(Realm, { metadata: { name: 'realm' }, spec: {} })
    await thing('child', [owner(realm)])
    await clock.settle()
    expect(await names()).toEqual(['child'])
    await cluster.client.delete(Realm, { name: 'realm' })
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('leaves an object alone whose owner is of a kind that is not served', async () => {
    await thing('child', [
      owner({ apiVersion: 'x.dev/v1', kind: 'Unknown', metadata: { name: 'a', uid: 'a' } }),
    ])
    await clock.advance('5m')
    expect(await names()).toEqual(['child'])
  })

  it('decides about such an object when the kind is served', async () => {
    const Late = defineKind({ group: 'test.homeostat.dev', version: 'v1', kind: 'Late', spec: s.object({}) })
    const late = { apiVersion: 'test.homeostat.dev/v1', kind: 'Late', metadata: { name: 'a', uid: 'a' } }
    await thing('child', [owner(late)])
    await clock.settle()
    expect(await names()).toEqual(['child'])
    await cluster.client.create(CustomResourceDefinition, customResourceDefinition(Late))
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('deletes dependents first in the foreground', async () => {
    const top = await thing('top')
    const metadata = {
      namespace,
      name: 'held',
      finalizers: ['test.homeostat.dev/hold'],
      ownerReferences: [owner(top, { blockOwnerDeletion: true })],
    }
    await cluster.client.create(ConfigMap, { metadata })
    await thing('free', [owner(top, { blockOwnerDeletion: true })])
    await clock.settle()
    await cluster.client.delete(Thing, { namespace, name: 'top' }, { propagation: 'Foreground' })
    await clock.settle()
    expect(await names()).toEqual(['top', 'held'])
    await cluster.client.patch(ConfigMap, metadata, {
      type: 'merge',
      body: { metadata: { finalizers: null } },
    })
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('ends a cycle of owners that is deleted in the foreground', async () => {
    const first = await thing('first')
    const second = await thing('second', [owner(first, { blockOwnerDeletion: true })])
    const body = { metadata: { ownerReferences: [owner(second, { blockOwnerDeletion: true })] } }
    await cluster.client.patch(Thing, { namespace, name: 'first' }, { type: 'merge', body })
    await clock.settle()
    await cluster.client.delete(Thing, { namespace, name: 'first' }, { propagation: 'Foreground' })
    await clock.settle()
    expect(await names()).toEqual([])
  })

  it('removes the owner reference of orphaned dependents', async () => {
    const top = await thing('top')
    await thing('child', [owner(top)])
    await clock.settle()
    await cluster.client.delete(Thing, { namespace, name: 'top' }, { propagation: 'Orphan' })
    await clock.settle()
    expect(await names()).toEqual(['child'])
    const child = await cluster.client.getOrThrow(Thing, { namespace, name: 'child' })
    expect(child.metadata.ownerReferences ?? []).toEqual([])
  })

  it('leaves the ReplicaSet and Pods of a Deployment that is orphaned, and a new Deployment adopts them', async () => {
    const labels = { app: 'web' }
    const web = {
      metadata: { namespace, name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'p', image: 'pause' }] } },
      },
    }
    await cluster.client.create(Deployment, web)
    await clock.settle()
    await cluster.client.delete(Deployment, web.metadata, { propagation: 'Orphan' })
    await clock.settle()
    const [before] = await cluster.client.list(Pod)
    await cluster.client.create(Deployment, web)
    await clock.settle()
    const [after, ...more] = await cluster.client.list(Pod)
    expect(more).toEqual([])
    expect(after?.metadata.uid).toBe(before?.metadata.uid)
    const [set] = await cluster.client.list(ReplicaSet)
    expect(set?.metadata.ownerReferences).toHaveLength(1)
  })

  it('lets a namespace be deleted once it is empty', async () => {
    await cluster.client.create(Namespace, { metadata: { name: 'short-lived' } })
    await clock.settle()
    await cluster.client.create(Pod, {
      metadata: { namespace: 'short-lived', name: 'p' },
      spec: { containers: [{ name: 'p', image: 'pause' }] },
    })
    await clock.settle()
    await cluster.client.delete(Namespace, { name: 'short-lived' })
    await clock.settle()
    expect(await cluster.client.get(Namespace, { name: 'short-lived' })).toBeUndefined()
  })
})
