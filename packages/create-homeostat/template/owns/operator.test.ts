import { OperatorTest } from '@homeostat/cluster/testing'
import { findCondition } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import { expect, it } from 'vitest'
import { MyKind } from './kind.ts'
import operator from './operator.ts'

const key = { namespace: 'default', name: 'hello' }

it('serves the text, and writes nothing when there is nothing to do', async () => {
  await using test = await OperatorTest.start(operator)
  await test.client.create(MyKind, { metadata: key, spec: { text: 'Hello <world>' } })
  await test.settle()
  const { data } = await test.client.getOrThrow(ConfigMap, key)
  expect(data?.['index.html']).toContain('<h1>Hello &lt;world></h1>')
  const { spec } = await test.client.getOrThrow(Deployment, key)
  expect(spec.replicas).toBe(1)
  await test.expectNoWrites()
})

it('brings back what was deleted, and follows an edit', async () => {
  await using test = await OperatorTest.start(operator)
  await test.client.create(MyKind, { metadata: key, spec: { text: 'Hello' } })
  await test.settle()
  await test.client.delete(Deployment, key)
  await test.client.patch(MyKind, key, { type: 'merge', body: { spec: { replicas: 2 } } })
  await test.settle()
  const { spec } = await test.client.getOrThrow(Deployment, key)
  expect(spec.replicas).toBe(2)
})

it('is ready when all servers are', async () => {
  await using test = await OperatorTest.start(operator)
  await test.client.create(MyKind, { metadata: key, spec: { text: 'Hello' } })
  await test.settle()
  expect(await ready(test)).toMatchObject({ status: 'False', reason: 'Starting' })
  const body = { status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } }
  await test.client.status.patch(Deployment, key, { type: 'merge', body })
  await test.settle()
  expect(await ready(test)).toMatchObject({ status: 'True', reason: 'Serving' })
})

async function ready(test: OperatorTest) {
  const { status } = await test.client.getOrThrow(MyKind, key)
  return findCondition(status?.conditions, 'Ready')
}
