import {
  customResourceDefinition,
  defineKind,
  schema as s,
  type KubernetesObject,
  type OwnerReference,
} from '@homeostat/api'
import { ConfigMap, CustomResourceDefinition, Namespace, Node, Secret } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../test/controller-bench.ts'
import { garbageCollector } from './garbage-collector.ts'

const namespace = 'default'
const Thing = defineKind({ group: 'test.homeostat.dev', version: 'v1', kind: 'Thing', spec: s.object({}) })
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start((kinds) => [garbageCollector(kinds)])
})
afterEach(() => bench[Symbol.asyncDispose]())

function owner(object: unknown, rest: Partial<OwnerReference> = {}): OwnerReference {
  const { apiVersion, kind, metadata } = object as KubernetesObject
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...rest }
}
async function map(name: string, owners: OwnerReference[] = [], inside = namespace): Promise<ConfigMap> {
  const created = await bench.client.create(ConfigMap, {
    metadata: { namespace: inside, name, ownerReferences: owners },
  })
  await bench.settle()
  return created
}
const names = async (): Promise<string[]> =>
  (await bench.client.list(ConfigMap)).map(({ metadata }) => metadata.name)

describe('the garbage collector', () => {
  it('says that an owner is in another namespace, and deletes the dependent', async () => {
    await bench.client.create(Namespace, { metadata: { name: 'abroad' } })
    const far = await map('far', [], 'abroad')
    await map('child', [owner(far)])
    expect(await names()).toEqual(['far'])
    expect(await bench.events('child')).toEqual([
      `OwnerRefInvalidNamespace: ownerRef [v1/ConfigMap, namespace: default, name: far, uid: ${far.metadata.uid}] does not exist in namespace "default"`,
    ])
  })

  it('never deletes an object outside of all namespaces for an owner inside of one', async () => {
    const inside = await map('inside')
    await bench.client.create(Node, { metadata: { name: 'n', ownerReferences: [owner(inside)] } })
    await bench.settle()
    await bench.client.delete(ConfigMap, inside.metadata)
    await bench.advance('5m')
    expect(await bench.client.get(Node, { name: 'n' })).toBeDefined()
  })

  it('treats a reference with the uid of one object and the name or kind of another as a missing owner', async () => {
    const top = await map('top')
    await map('misnamed', [owner(top, { name: 'other' })])
    await map('miskinded', [owner(top, { kind: 'Secret' })])
    await map('right', [owner(top)])
    expect(await names()).toEqual(['right', 'top'])
  })

  it('deletes the dependents of objects whose kind is no longer served', async () => {
    const definition = customResourceDefinition(Thing)
    await bench.client.create(CustomResourceDefinition, definition)
    await bench.settle()
    const thing = await bench.client.create(Thing, { metadata: { namespace, name: 'thing' }, spec: {} })
    await map('child', [owner(thing)])
    await bench.client.delete(CustomResourceDefinition, { name: definition.metadata.name })
    await bench.advance('1m')
    expect(await names()).toEqual([])
    // The kind comes again, and its objects are watched again: how soon depends on when it was last looked for.
    await bench.client.create(CustomResourceDefinition, definition)
    await bench.advance('2m')
    const again = await bench.client.create(Thing, { metadata: { namespace, name: 'again' }, spec: {} })
    await map('child', [owner(again)])
    expect(await names()).toEqual(['child'])
    await bench.client.delete(Thing, { namespace, name: 'again' })
    await bench.settle()
    expect(await names()).toEqual([])
  })

  it('does not wait in the foreground for a dependent that does not block', async () => {
    const top = await map('top')
    await bench.client.create(Secret, {
      metadata: { namespace, name: 'held', finalizers: ['example.com/hold'], ownerReferences: [owner(top)] },
    })
    await bench.settle()
    await bench.client.delete(ConfigMap, top.metadata, { propagation: 'Foreground' })
    await bench.settle()
    expect(await names()).toEqual([])
    const held = await bench.client.getOrThrow(Secret, { namespace, name: 'held' })
    expect(held.metadata.deletionTimestamp).toBeDefined()
  })

  it('deletes a chain of owners in the foreground from its end', async () => {
    const block = { blockOwnerDeletion: true }
    const first = await map('first')
    const second = await map('second', [owner(first, block)])
    const third = await bench.client.create(ConfigMap, {
      metadata: {
        namespace,
        name: 'third',
        finalizers: ['example.com/hold'],
        ownerReferences: [owner(second, block)],
      },
    })
    await bench.settle()
    await bench.client.delete(ConfigMap, first.metadata, { propagation: 'Foreground' })
    await bench.settle()
    expect(await names()).toEqual(['first', 'second', 'third'])
    const body = { metadata: { finalizers: null } }
    await bench.client.patch(ConfigMap, third.metadata, { type: 'merge', body })
    await bench.settle()
    expect(await names()).toEqual([])
  })

  it('orphans very many dependents of one owner', async () => {
    const top = await map('top')
    await Promise.all(Array.from({ length: 50 }, (_, i) => map(`child-${i}`, [owner(top)])))
    await bench.client.delete(ConfigMap, top.metadata, { propagation: 'Orphan' })
    await bench.settle()
    const left = await bench.client.list(ConfigMap)
    expect(left).toHaveLength(50)
    expect(left.every(({ metadata }) => (metadata.ownerReferences ?? []).length === 0)).toBe(true)
  })
})
