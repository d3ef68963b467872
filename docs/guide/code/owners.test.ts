import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, controllerReference, createOrUpdate, setControllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

// #region create-or-update
const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    await createOrUpdate(client, ConfigMap, request, (configMap) => {
      configMap.metadata.ownerReferences = [controllerReference(greeting, Greeting)]
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
    body: { metadata: { labels: { team: 'blue' } }, data: { extra: 'by somebody else' } },
  })
  await test.settle()
  const { metadata, data } = await test.client.getOrThrow(ConfigMap, key)
  expect(metadata.labels).toEqual({ team: 'blue' })
  expect(data).toEqual({ text: 'Hello, world!', extra: 'by somebody else' })
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
  expect(() => setControllerReference(owner, Greeting, elsewhere)).toThrow(
    'the garbage collector would delete it',
  )
  // #endregion
})
