import { killAtEachCall, OperatorTest } from '@homeostat/cluster/testing'
import { controller, FinalizerRegistry, wrapTransport } from 'homeostat'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

/** A system outside of the cluster, in which each greeting has a poster. */
const posters = new Set<string>()
let outage = false
let cleanedUp: string[] = []

// #region controller
const finalizers = new FinalizerRegistry(Greeting).register('guide.example.com/poster', (greeting) => {
  if (outage) throw new Error('the printing house does not answer')
  posters.delete(greeting.metadata.name)
  cleanedUp.push(greeting.metadata.name)
})

const greeting = controller('greeting')
  .for(Greeting)
  .uses(finalizers)
  .reconcile(async (request, context) => {
    const { client } = context
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const { deleting } = await finalizers.finalize(client, greeting, context)
    if (!deleting) posters.add(greeting.metadata.name)
  })
// #endregion

test('the finalizer is there before the poster, and goes after it', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  // #region life
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  const { metadata } = await test.client.getOrThrow(Greeting, key)
  expect(metadata.finalizers).toEqual(['guide.example.com/poster'])
  expect(posters).toContain('hello')

  outage = true
  await test.client.delete(Greeting, key)
  await test.settle()
  expect((await test.client.getOrThrow(Greeting, key)).metadata.deletionTimestamp).toBeDefined()
  expect(posters).toContain('hello')

  outage = false
  await test.advance('1s')
  expect(await test.client.get(Greeting, key)).toBeUndefined()
  expect(posters).not.toContain('hello')
  // #endregion
})

test('killed at any of its calls, it leaves no poster that belongs to no object', async () => {
  const calls: string[][] = []
  const scenario = async (test: OperatorTest) => {
    cleanedUp = []
    calls.push(cleanedUp)
    await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
    await test.settle()
    await test.client.delete(Greeting, key)
    await test.settle()
    return [...posters]
  }
  // #region kills
  const { state } = await killAtEachCall({ kinds: [Greeting], controllers: [greeting] }, scenario)
  expect(state).toEqual([])
  // #endregion
  // In some of these runs the process died after the function had succeeded: it was called again.
  expect(Math.max(...calls.map(({ length }) => length))).toBe(2)
})

test('the name is on the object before anything is made outside', async () => {
  await using test = await OperatorTest.start({
    kinds: [Greeting],
    controllers: [greeting],
    // A server that refuses every write to a Greeting, like a server that cannot be reached.
    transport: (inner) =>
      wrapTransport(inner, (request) =>
        request.method === 'PATCH' && request.path.includes('/greetings/')
          ? Promise.reject(new Error('the server does not answer'))
          : inner.send(request),
      ),
  })
  // #region before
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.advance('10s')
  expect(test.reports.map(({ result }) => result)).toContain('error')
  expect(posters).not.toContain('hello')
  // #endregion
})

test('a finalizer that waits gives pending, and one of an object that stays is released', async () => {
  const orders = new Map<string, 'running' | 'cancelled'>()
  // #region pending
  const printing = new FinalizerRegistry(Greeting).register(
    'guide.example.com/order',
    async ({ metadata: { name } }, { log }) => {
      if (!orders.has(name)) return undefined // Nothing is left to clean up.
      if (orders.get(name) === 'running') {
        log.info('waiting for the order to be cancelled')
        return 'pending'
      }
      orders.delete(name)
      return undefined
    },
  )

  const printer = controller('printer')
    .for(Greeting)
    .uses(printing)
    .reconcile(async (request, context) => {
      const { client } = context
      const greeting = await client.get(Greeting, request)
      if (!greeting) return undefined
      if (greeting.spec.name === '') {
        await printing.release(client, greeting, context)
        return undefined
      }
      const { deleting } = await printing.finalize(client, greeting, context)
      if (!deleting) orders.set(greeting.metadata.name, 'running')
      return deleting ? { requeueAfter: '10s' } : undefined
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [printer] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  await test.client.delete(Greeting, key)
  await test.advance('1m')
  expect(await test.client.get(Greeting, key)).toBeDefined()
  orders.set('hello', 'cancelled')
  await test.advance('10s')
  expect(await test.client.get(Greeting, key)).toBeUndefined()

  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  orders.set('hello', 'cancelled')
  await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { name: '' } } })
  await test.settle()
  expect((await test.client.getOrThrow(Greeting, key)).metadata.finalizers).toBeUndefined()
  expect(orders.size).toBe(0)
})
