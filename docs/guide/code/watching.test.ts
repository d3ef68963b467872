import { OperatorTest } from '@homeostat/cluster/testing'
import { Channel, controller, formatKey, keyOf, parseKey, predicates } from 'homeostat'
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
  // #region mapped
  await test.client.create(ConfigMap, { metadata: { ...key, name: 'words', labels } })
  await test.client.create(ConfigMap, { metadata: { ...key, name: 'unrelated' } })
  await test.settle()
  expect(test.reports.map(({ request }) => request)).toEqual([{ namespace: 'default', name: 'hello' }])
  // #endregion
})

test('a mapping is called with the object before an update, too', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  const name = 'words'
  // #region moved
  const labels = { 'guide.example.com/greeting': 'hello' }
  await test.client.create(ConfigMap, { metadata: { ...key, name, labels } })
  await test.settle()
  const body = { metadata: { labels: { 'guide.example.com/greeting': 'another' } } }
  await test.client.patch(ConfigMap, { ...key, name }, { type: 'merge', body })
  await test.settle()
  expect(test.reports.map(({ request }) => request.name)).toEqual(['hello', 'hello', 'another'])
  // #endregion
})

test('a mapping reads the key in an annotation, which may be malformed', async () => {
  // #region parsed
  const signs = controller('signs')
    .for(Greeting)
    .watches(ConfigMap, ({ metadata }) => parseKey(metadata.annotations?.['guide.example.com/for'], Greeting))
    .reconcile(async () => {})
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [signs] })
  for (const [index, text] of ['hello', formatKey({ namespace: 'team', name: 'hello' }), ''].entries()) {
    const metadata = { ...key, name: `words-${index}`, annotations: { 'guide.example.com/for': text } }
    await test.client.create(ConfigMap, { metadata })
  }
  await test.settle()
  expect(test.reports.map(({ request }) => request)).toEqual([{ namespace: 'team', name: 'hello' }])
})

test('a mapping may use only the indexes that are declared before it', () => {
  const late = controller('words')
    .for(Greeting)
    .watches(ConfigMap, async ({ metadata: { name } }, { client }) => {
      // @ts-expect-error the index is declared below
      const greetings = await client.list(Greeting, { fields: { words: name } })
      return greetings.map(keyOf)
    })
    .indexes(Greeting, { words: ({ spec }) => spec.name })
    .reconcile(() => {})
  expect(late.indexes.map(({ name }) => name)).toEqual(['words'])
})

test('an index finds all that name an object, and a missing one is waited for', async () => {
  // #region index
  const words = controller('words')
    .for(Greeting)
    .indexes(Greeting, { words: ({ spec }) => spec.name })
    .watches(ConfigMap, async ({ metadata: { namespace, name } }, { client }) => {
      const greetings = await client.list(Greeting, { namespace, fields: { words: name } })
      return greetings.map(({ metadata }) => ({ namespace, name: metadata.name }))
    })
    .writes(Greeting, 'status.apply')
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (!greeting) return
      const { name } = greeting.spec
      const configMap = await client.get(ConfigMap, { ...request, name })
      const text = configMap?.data?.['text'] ?? `waits for the ConfigMap ${name}`
      await client.status.apply(Greeting, request, { text })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [words] })
  const texts = async () => (await test.client.list(Greeting)).map(({ status }) => status?.text)
  // #region missing
  for (const name of ['first', 'second']) {
    await test.client.create(Greeting, { metadata: { ...key, name }, spec: { name: 'words' } })
  }
  await test.settle()
  expect(await texts()).toEqual(['waits for the ConfigMap words', 'waits for the ConfigMap words'])
  const calls = test.reports.length
  await test.advance('1h')
  expect(test.reports.length).toBe(calls)

  await test.client.create(ConfigMap, { metadata: { ...key, name: 'words' }, data: { text: 'Ahoy!' } })
  await test.settle()
  expect(await texts()).toEqual(['Ahoy!', 'Ahoy!'])
  // #endregion
})

// #region predicate
const quiet = controller('quiet')
  .for(Greeting, { predicate: predicates.generationChanged })
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (greeting) await client.status.apply(Greeting, request, { text: `Hello, ${greeting.spec.name}!` })
  })
// #endregion

test('a predicate keeps a status write from starting a reconcile', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [quiet] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region passes
  expect(test.writes()).toEqual(['patch greetings/status default/hello'])
  expect(test.reports.length).toBe(1)
  await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { name: 'you' } } })
  await test.settle()
  expect(test.reports.length).toBe(2)
  // #endregion
  // #region regularly
  await test.restart()
  expect(test.reports.length).toBe(3)
  await test.advance('11h')
  expect(test.reports.length).toBe(4)
  // #endregion
})

// #region labelled
const formal = controller('formal')
  .for(Greeting, { predicate: predicates.hasLabels({ tone: 'formal' }) })
  .reconcile(async () => {})
// #endregion

test('a predicate for labels also passes the update that takes them away', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [formal] })
  // #region unlabelled
  const labels = { tone: 'formal' }
  await test.client.create(Greeting, { metadata: { ...key, labels }, spec: { name: 'world' } })
  await test.settle()
  const patch = (body: object) => test.client.patch(Greeting, key, { type: 'merge', body })
  await patch({ metadata: { labels: { tone: null } } })
  await test.settle()
  expect(test.reports.length).toBe(2)
  await patch({ spec: { name: 'you' } })
  await test.settle()
  expect(test.reports.length).toBe(2)
  // #endregion
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
  // #region rung
  calls.send({ guest: 'hello' })
  await test.settle()
  expect(test.reports.map(({ request }) => request)).toEqual([{ namespace: 'default', name: 'hello' }])
  // #endregion
})
