import { OperatorTest } from '@homeostat/cluster/testing'
import { Channel, controller, predicates } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

// #region mapping
const greeting = controller('greeting')
  .for(Greeting)
  .watches(ConfigMap, (configMap) => {
    const name = configMap.metadata.labels?.['guide.example.com/greeting']
    return name ? { namespace: configMap.metadata.namespace, name } : []
  })
  .reconcile(async () => {})
// #endregion

test('a mapping says which of ours an object of another kind means', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  const labels = { 'guide.example.com/greeting': 'hello' }
  await test.client.create(ConfigMap, { metadata: { ...key, name: 'words', labels } })
  await test.client.create(ConfigMap, { metadata: { ...key, name: 'unrelated' } })
  await test.settle()
  expect(test.reports.map((report) => report.request)).toEqual([key])
})

// #region predicate
const quiet = controller('quiet')
  .for(Greeting, { predicate: predicates.generationChanged })
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (greeting) await client.status.apply(Greeting, request, { text: `Hello, ${greeting.spec.name}!` })
  })
// #endregion

test('a predicate keeps a status write from starting a reconcile', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [quiet] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.writes()).toEqual(['patch greetings/status default/hello'])
  expect(test.reports.length).toBe(1)
})

test('a channel brings news from outside', async () => {
  // #region channel
  const calls = new Channel<{ guest: string }>('doorbell')
  const doorbell = controller('doorbell')
    .for(Greeting)
    .watches(calls, ({ guest }) => ({ namespace: 'default', name: guest }))
    .reconcile(async () => {})
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [doorbell] })
  calls.send({ guest: 'hello' })
  await test.settle()
  expect(test.reports.map((report) => report.request)).toEqual([key])
})
