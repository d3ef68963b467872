import { join, resolve } from 'node:path'
import { OperatorTest, startSurroundings } from '@homeostat/cluster/testing'
import type { AnyKind, Operator } from 'homeostat'
import { ConfigMap, Deployment, Job, Secret } from 'homeostat/kinds'
import { expect, it } from 'vitest'

/** The examples for further loops of a chapter: their comments invite a reader to change something, and this follows. */
const folder = resolve(import.meta.dirname, '../../docs/playground/examples')
const at = (name: string) => ({ namespace: 'default', name })

interface Example extends AsyncDisposable {
  readonly test: OperatorTest
  /** The kind that the example defines. */
  readonly kind: AnyKind
  /** Changes an object of this kind. */
  patch(name: string, body: object): Promise<unknown>
  read(name: string): Promise<any>
  /** How many reconciles there were since the last question. */
  reconciles(): number
}

/** Starts an example with its samples, which has come to rest. */
async function start(id: string, ...around: AnyKind[]): Promise<Example> {
  const { default: operator } = (await import(join(folder, id, 'operator.ts'))) as { default: Operator }
  const test = await OperatorTest.start(operator)
  const [kind] = operator.kinds
  if (!kind) throw new Error(`${id} has no kind`)
  const surroundings = new AbortController()
  if (around.length > 0)
    startSurroundings(test.environment, {
      kinds: [...around, kind],
      pods: () => 'ready',
      signal: surroundings.signal,
    })
  for (const sample of operator.samples) {
    const found = await test.client.kinds.find(sample.apiVersion, sample.kind)
    if (!found) throw new Error(`${sample.kind} of ${id} is not served`)
    await test.client.apply(found, { ...sample })
  }
  await test.advance('1m')
  let seen = test.reports.length
  return {
    test,
    kind,
    patch: (name, body) => test.client.patch(kind, at(name), { type: 'merge', body }),
    read: (name) => test.client.get(kind, at(name)),
    reconciles: () => {
      const count = test.reports.length - seen
      seen = test.reports.length
      return count
    },
    async [Symbol.asyncDispose]() {
      surroundings.abort()
      await test[Symbol.asyncDispose]()
    },
  }
}

it('several changes during a reconcile lead to one further reconcile', async () => {
  await using example = await start('3-when-it-is-called.2')
  await example.patch('hello', { spec: { name: 'a' } })
  await example.test.settle()
  for (const name of ['b', 'c', 'd']) await example.patch('hello', { spec: { name } })
  await example.test.advance('1m')
  expect(example.reconciles()).toBe(2)
})

it('the Jobs of a Greeting are found by their owner, and made again', async () => {
  await using example = await start('4-owners.2', Job)
  const { client } = example.test
  expect((await example.read('hello')).status).toEqual({ ended: 2 })
  expect((await example.read('welcome')).status).toEqual({ ended: 1 })
  await client.delete(Job, at('hello-2'), { propagation: 'Background' })
  await example.patch('welcome', { spec: { times: 3 } })
  await example.test.advance('1m')
  expect((await client.list(Job)).map(({ metadata }) => metadata.name).toSorted()).toEqual([
    'hello-1',
    'hello-2',
    'welcome-1',
    'welcome-2',
    'welcome-3',
  ])
  expect((await example.read('welcome')).status).toEqual({ ended: 3 })
  await example.patch('welcome', { spec: { times: 0 } })
  await example.test.advance('1m')
  expect((await example.read('welcome')).status).toEqual({ ended: 0 })
  expect((await client.list(Job)).length).toBe(2)
})

it('a reconciler of objects is not called for a deleted object', async () => {
  await using example = await start('4-owners.3')
  await example.test.client.delete(example.kind, at('hello'))
  await example.test.settle()
  expect(example.reconciles()).toBe(1)
  expect(example.test.reports.at(-1)?.result).toBe('success')
})

it('a Greeting goes once its poster is taken down', async () => {
  await using example = await start('5-finalizers.2')
  expect((await example.read('hello')).metadata.finalizers).toEqual(['guide.example.com/poster'])
  await example.test.client.delete(example.kind, at('hello'))
  await example.test.settle()
  expect(await example.read('hello')).toBeUndefined()
})

it('the replicas that another manager sets stay', async () => {
  await using example = await start('6-server-side-apply.2', Deployment)
  const body = { spec: { replicas: 5 } }
  await example.test.client.patch(
    Deployment,
    at('shop'),
    { type: 'merge', body },
    { fieldManager: 'a-person' },
  )
  await example.test.advance('1m')
  expect((await example.test.client.getOrThrow(Deployment, at('shop'))).spec.replicas).toBe(5)
})

it('a ConfigMap starts a reconcile of the Greeting that its label names, and only then', async () => {
  await using example = await start('7-watching-other-kinds.2')
  const edit = async (name: string): Promise<number> => {
    await example.test.client.patch(ConfigMap, at(name), { type: 'merge', body: { data: { text: 'x' } } })
    await example.test.settle()
    return example.reconciles()
  }
  expect(await edit('words')).toBe(1)
  expect(await edit('unrelated')).toBe(0)
})

it('a change of the spec starts one reconcile, and the status that it writes none', async () => {
  await using example = await start('7-watching-other-kinds.3')
  await example.patch('hello', { spec: { name: 'all' } })
  await example.test.settle()
  expect(example.reconciles()).toBe(1)
  expect((await example.read('hello')).status).toEqual({ text: 'Hello, all!' })
})

it('a Greeting without the label is reconciled once more, and then no longer', async () => {
  await using example = await start('7-watching-other-kinds.4')
  const change = async (name: string, body: object): Promise<number> => {
    await example.patch(name, body)
    await example.test.settle()
    return example.reconciles()
  }
  expect(await change('formal', { spec: { name: 'a' } })).toBe(1)
  expect(await change('casual', { spec: { name: 'a' } })).toBe(0)
  expect(await change('formal', { metadata: { labels: { tone: null } } })).toBe(1)
  expect(await change('formal', { spec: { name: 'b' } })).toBe(0)
})

it('a ConfigMap starts a reconcile of the Greeting that its annotation names, and of the one that it named before', async () => {
  await using example = await start('7-watching-other-kinds.5')
  const change = async (body: object): Promise<string[]> => {
    const before = example.test.reports.length
    await example.test.client.patch(ConfigMap, at('sign'), { type: 'merge', body })
    await example.test.settle()
    return example.test.reports.slice(before).map(({ request }) => request.name)
  }
  expect(await change({ data: { text: 'closed' } })).toEqual(['hello'])
  const annotations = { 'guide.example.com/for': 'default/welcome' }
  expect((await change({ metadata: { annotations } })).toSorted()).toEqual(['hello', 'welcome'])
  expect(await change({ data: { text: 'open' } })).toEqual(['welcome'])
})

it('the greeting changes at noon and at midnight', async () => {
  await using example = await start('8-time-and-tests.2')
  const texts = new Set<string>()
  for (let count = 0; count < 4; count++) {
    texts.add((await example.read('hello')).status.text)
    await example.test.advance('6h')
  }
  expect([...texts].toSorted()).toEqual(['Good day!', 'Good morning!'])
})

it('the metadata of a Secret starts the reconcile that reads it', async () => {
  await using example = await start('12-more-tools.2')
  expect((await example.read('welcome')).status).toEqual({ text: '1 words' })
  await example.test.client.delete(Secret, at('welcome'))
  await example.test.client.create(Secret, { metadata: at('hello'), data: { a: btoa('a'), b: btoa('b') } })
  await example.test.settle()
  expect((await example.read('welcome')).status).toEqual({ text: 'no words' })
  expect((await example.read('hello')).status).toEqual({ text: '2 words' })
})

it('two edits in a row start two reconciles, ten seconds apart', async () => {
  await using example = await start('12-more-tools.3')
  await example.patch('hello', { spec: { name: 'a' } })
  await example.test.advance('5s')
  await example.patch('hello', { spec: { name: 'b' } })
  await example.test.advance('5s')
  expect(example.reconciles()).toBe(1)
  await example.test.advance('5s')
  expect(example.reconciles()).toBe(1)
})

it('each hour starts a reconcile', async () => {
  await using example = await start('12-more-tools.4')
  await example.test.advance('3h')
  expect(example.reconciles()).toBe(3)
})
