import { Cluster } from '@homeostat/cluster'
import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  controllerOf,
  controllerReference,
  createOrUpdate,
  customResourceDefinition,
  objectReconciler,
  setControllerReference,
  SimulatedClock,
} from 'homeostat'
import { ConfigMap, CustomResourceDefinition, Job } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

// #region create-or-update
const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'createOrUpdate')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    await createOrUpdate(client, ConfigMap, request, (configMap) => {
      setControllerReference(greeting, configMap)
      configMap.data = { ...configMap.data, text: `Hello, ${greeting.spec.name}!` }
    })
  })
// #endregion

test('what others add to a child survives, and causes no write', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.writes()).toEqual(['create configmaps default'])
  // #region others
  await test.client.patch(ConfigMap, key, {
    type: 'merge',
    body: { metadata: { labels: { team: 'blue' } }, data: { extra: 'by a colleague' } },
  })
  await test.settle()
  const { metadata, data } = await test.client.getOrThrow(ConfigMap, key)
  expect(metadata.labels).toEqual({ team: 'blue' })
  expect(data).toEqual({ text: 'Hello, world!', extra: 'by a colleague' })
  expect(test.writes()).toEqual([])
  // #endregion
})

test('the reference says who owns it', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  const owner = await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region reference
  const { metadata } = await test.client.getOrThrow(ConfigMap, key)
  expect(metadata.ownerReferences).toEqual([
    {
      apiVersion: 'guide.example.com/v1',
      kind: 'Greeting',
      name: 'hello',
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ])
  // #endregion
})

test('an owner in another namespace is refused', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  const owner = await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  // #region namespaces
  const elsewhere = { metadata: { namespace: 'kube-system', name: 'hello' } }
  expect(() => setControllerReference(owner, elsewhere)).toThrow('the garbage collector would delete it')
  // #endregion
})

test('a child has one controller', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  const another = await test.client.create(Greeting, {
    metadata: { ...key, name: 'another' },
    spec: { name: 'you' },
  })
  await test.settle()
  // #region controlled
  const child = structuredClone(await test.client.getOrThrow(ConfigMap, key))
  expect(() => setControllerReference(another, child)).toThrow(
    'default/hello is already controlled by Greeting hello',
  )
  // #endregion
})

test('the garbage collector removes a child whose owner is gone, and takes another of its name for another', async () => {
  const clock = new SimulatedClock()
  await using cluster = await Cluster.start({ clock, port: false })
  const { client } = cluster
  await client.create(CustomResourceDefinition, customResourceDefinition(Greeting))
  await clock.settle()
  const adopt = async () => {
    const owner = await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
    const ownerReferences = [controllerReference(owner)]
    await client.create(ConfigMap, { metadata: { ...key, ownerReferences } })
    return owner
  }
  await adopt()
  await clock.advance('1m')
  expect(await client.get(ConfigMap, key)).toBeDefined()
  // #region collected
  await client.delete(Greeting, key)
  await clock.advance('1m')
  expect(await client.get(ConfigMap, key)).toBeUndefined()
  // #endregion

  const before = await adopt()
  // #region uid
  await client.delete(Greeting, key, { propagation: 'Orphan' })
  await clock.advance('1m')
  const after = await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  expect(after.metadata.uid).not.toBe(before.metadata.uid)
  await client.patch(ConfigMap, key, {
    type: 'merge',
    body: { metadata: { ownerReferences: [controllerReference(before)] } },
  })
  await clock.advance('1m')
  expect(await client.get(ConfigMap, key)).toBeUndefined()
  // #endregion
})

test('who counts from what is there writes with every call', async () => {
  // #region counting
  const counting = controller('counting')
    .for(Greeting)
    .writes(ConfigMap, 'createOrUpdate')
    .reconcile(async (request, { client }) => {
      await createOrUpdate(client, ConfigMap, request, (configMap) => {
        configMap.data = { count: `${Number(configMap.data?.['count'] ?? 0) + 1}` }
      })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [counting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region counted
  await expect(test.expectNoWrites()).rejects.toThrow('update configmaps default/hello')
  // #endregion
})

test('the children of an owner are found by an index', async () => {
  // #region index
  const counted = new Map<string, number>()
  const counting = controller('counting')
    .for(Greeting)
    .owns(Job) // a change of a Job calls the reconcile of its owner
    .indexes(Job, { owner: (job) => controllerOf(job)?.uid }) // lists can select by the owner
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (!greeting) return
      const { namespace, name, uid } = greeting.metadata
      const jobs = await client.list(Job, { namespace, fields: { owner: uid } })
      counted.set(name, jobs.length)
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [counting] })
  const owner = await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'a', image: 'a' }] } }
  const ownerReferences = [controllerReference(owner)]
  for (const name of ['one', 'two']) {
    await test.client.create(Job, { metadata: { ...key, name, ownerReferences }, spec: { template } })
  }
  await test.client.create(Job, { metadata: { ...key, name: 'other' }, spec: { template } })
  await test.settle()
  expect(counted.get('hello')).toBe(2)
})

test('objectReconciler reads the object first', async () => {
  const greeted: string[] = []
  // #region object-reconciler
  const greeter = controller('greeter')
    .for(Greeting)
    .reconcile(
      objectReconciler(Greeting, async ({ metadata, spec }, { log }) => {
        log.info({ name: spec.name }, 'greeting')
        greeted.push(metadata.name)
      }),
    )
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeter] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  await test.client.delete(Greeting, key)
  await test.settle()
  expect(greeted).toEqual(['hello'])
})
