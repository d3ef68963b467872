import { OperatorTest } from '@homeostat/cluster/testing'
import { findCondition } from 'homeostat'
import { ClusterRole, Event, Namespace, RoleBinding } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import operator from './operator.ts'
import { Tenant } from './tenant.ts'

describe('Tenant', () => {
  it('gets its Namespaces, a ClusterRole and a RoleBinding for each member in each', async () => {
    await using test = await start()
    const { metadata } = await create(test, 'a', ['one', 'two'], ['alice', 'bob'])
    await test.settle()

    const owner = [{ kind: 'Tenant', name: 'a', uid: metadata.uid, controller: true }]
    for (const name of ['one', 'two']) {
      const namespace = await test.client.getOrThrow(Namespace, { name })
      expect(namespace.metadata.ownerReferences).toMatchObject(owner)
    }
    const role = await test.client.getOrThrow(ClusterRole, { name: 'tenant-a' })
    expect(role.metadata.ownerReferences).toMatchObject(owner)
    expect(await bindings(test)).toEqual([
      'one/tenant-a-alice',
      'one/tenant-a-bob',
      'two/tenant-a-alice',
      'two/tenant-a-bob',
    ])
    const binding = await test.client.getOrThrow(RoleBinding, { namespace: 'two', name: 'tenant-a-bob' })
    expect(binding).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'tenant-a' },
      subjects: [{ kind: 'User', name: 'bob' }],
    })
    expect(await ready(test, 'a')).toMatchObject({ status: 'True', reason: 'NamespacesReady' })
    expect(test.reports.every(({ request }) => request.namespace === undefined)).toBe(true)
  })

  it('lets a renamed member’s rights go, and gives the new one the same', async () => {
    await using test = await start()
    await create(test, 'a', ['one', 'two'], ['alice', 'bob'])
    await test.settle()
    test.writes()
    await patch(test, 'a', { members: ['alice', 'carol'] })
    expect(test.writes()).toEqual([
      'patch rolebindings one/tenant-a-carol',
      'patch rolebindings two/tenant-a-carol',
      'delete rolebindings one/tenant-a-bob',
      'delete rolebindings two/tenant-a-bob',
    ])
    expect(await bindings(test)).toEqual([
      'one/tenant-a-alice',
      'one/tenant-a-carol',
      'two/tenant-a-alice',
      'two/tenant-a-carol',
    ])
  })

  it('lets a Namespace go that it no longer names, and its members’ rights before', async () => {
    await using test = await start()
    await create(test, 'a', ['one', 'two'], ['alice'])
    await test.settle()
    test.writes()
    await patch(test, 'a', { namespaces: ['one', 'three'] })
    expect(test.writes()).toEqual([
      'create namespaces',
      'patch rolebindings three/tenant-a-alice',
      'delete rolebindings two/tenant-a-alice',
      'delete namespaces two',
    ])
    expect(await bindings(test)).toEqual(['one/tenant-a-alice', 'three/tenant-a-alice'])
  })

  it('that claims another’s Namespace says so, once, and leaves it alone until it is free', async () => {
    await using test = await start()
    await create(test, 'a', ['shared'], ['alice'])
    await test.settle()
    await create(test, 'b', ['own', 'shared'], ['bob'])
    await test.settle()

    const message = 'the Namespace shared belongs to Tenant a'
    expect(await ready(test, 'b')).toMatchObject({ status: 'False', reason: 'NamespaceUnavailable', message })
    expect(await ready(test, 'a')).toMatchObject({ status: 'True' })
    expect(await bindings(test)).toEqual(['own/tenant-b-bob', 'shared/tenant-a-alice'])
    const events = await test.client.list(Event, { namespace: 'default' })
    expect(events).toMatchObject([
      {
        type: 'Warning',
        reason: 'NamespaceUnavailable',
        note: message,
        regarding: { kind: 'Tenant', name: 'b' },
      },
    ])

    const before = test.reports.length
    test.writes()
    await test.advance('1h')
    expect(test.reports.length).toBe(before)
    expect(test.writes()).toEqual([])

    await patch(test, 'a', { namespaces: ['elsewhere'] })
    await test.settle()
    const { metadata } = await test.client.getOrThrow(Namespace, { name: 'shared' })
    expect(metadata.ownerReferences).toMatchObject([{ name: 'b' }])
    expect(await ready(test, 'b')).toMatchObject({ status: 'True' })
    expect(await bindings(test)).toEqual([
      'elsewhere/tenant-a-alice',
      'own/tenant-b-bob',
      'shared/tenant-b-bob',
    ])
  })

  it('never takes a Namespace that was there before it', async () => {
    await using test = await start()
    await create(test, 'a', ['kube-system'], ['mallory'])
    await test.settle()
    expect(await ready(test, 'a')).toMatchObject({
      status: 'False',
      message: 'the Namespace kube-system belongs to no Tenant',
    })
    expect(await bindings(test)).toEqual([])
  })

  it('brings back a Namespace and a RoleBinding that were deleted', async () => {
    await using test = await start()
    await create(test, 'a', ['one'], ['alice'])
    await test.settle()
    await test.client.delete(RoleBinding, { namespace: 'one', name: 'tenant-a-alice' })
    await test.settle()
    expect(await bindings(test)).toEqual(['one/tenant-a-alice'])
    await test.client.delete(Namespace, { name: 'one' })
    await test.settle()
    const { metadata } = await test.client.getOrThrow(Namespace, { name: 'one' })
    expect(metadata.deletionTimestamp).toBeUndefined()
    expect(await bindings(test)).toEqual(['one/tenant-a-alice'])
  })
})

function start() {
  return OperatorTest.start(operator)
}

function create(test: OperatorTest, name: string, namespaces: string[], members: string[]) {
  return test.client.create(Tenant, { metadata: { name }, spec: { namespaces, members } })
}

async function patch(test: OperatorTest, name: string, spec: object): Promise<void> {
  await test.client.patch(Tenant, { name }, { type: 'merge', body: { spec } })
  await test.settle()
}

/** The RoleBindings of Tenants: those of the cluster itself have other names. */
async function bindings(test: OperatorTest): Promise<string[]> {
  const all = await test.client.list(RoleBinding)
  return all
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .filter((name) => name.includes('/tenant-'))
    .sort()
}

async function ready(test: OperatorTest, name: string) {
  return findCondition((await test.client.getOrThrow(Tenant, { name })).status?.conditions, 'Ready')
}
