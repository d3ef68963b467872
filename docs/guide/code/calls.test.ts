import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  controllerReference,
  describeCauses,
  formatKey,
  type ControllerOptions,
  type Duration,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

// #region controller
const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const ownerReferences = [controllerReference(greeting)]
    await client.apply(ConfigMap, {
      metadata: { ...request, name: `text-of-${request.name}`, ownerReferences },
      data: { text: `Hello, ${greeting.spec.name}! `.repeat(greeting.spec.times) },
    })
  })
// #endregion
const child = { ...key, name: 'text-of-hello' }

test('the reconciler is called for each of these, with the owner’s name, and knows why', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  let told = 0
  /** The calls since the last look: for what, and why. */
  const calls = async () => {
    await test.settle()
    const news = test.reports.slice(told)
    told = test.reports.length
    return news.map(({ request, causes }) => `${formatKey(request)}: ${describeCauses(causes)}`)
  }
  // #region causes
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  expect(await calls()).toEqual([
    'default/hello: Greeting default/hello was created',
    'default/hello: ConfigMap default/text-of-hello was created',
  ])

  await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { name: 'you' } } })
  expect(await calls()).toEqual([
    'default/hello: Greeting default/hello was updated (spec)',
    'default/hello: ConfigMap default/text-of-hello was updated (content)',
  ])

  await test.restart()
  expect(await calls()).toEqual([
    'default/hello: Greeting default/hello was there at the start; ConfigMap default/text-of-hello was there at the start',
  ])

  await test.advance('11h')
  expect(await calls()).toContain('default/hello: Greeting default/hello came up in the regular resync')

  await test.client.delete(Greeting, key)
  expect(await calls()).toEqual(['default/hello: Greeting default/hello was deleted'])
  // #endregion
})

test('the resync comes once in ten hours, give or take a tenth, or as often as one says', async () => {
  const resyncs = async (resync?: Duration) => {
    const idle = controller('idle')
      .for(Greeting)
      .reconcile(() => {})
    await using test = await OperatorTest.start({
      kinds: [Greeting],
      controllers: [idle],
      manager: { resync },
    })
    await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
    await test.settle()
    const counts: number[] = []
    for (const time of ['9h', '2h', '7h', '4h'] as const) {
      await test.advance(time)
      counts.push(test.reports.length - 1)
    }
    return counts
  }
  expect(await resyncs()).toEqual([0, 1, 1, 2])
  expect((await resyncs('1h')).at(-1)).toBeGreaterThan(19)
})

test('one object is never reconciled twice at once, and many events make one reconcile', async () => {
  // #region merged
  let running = 0
  const slow = controller('slow')
    .for(Greeting)
    .reconcile(async (_, { clock }) => {
      expect(++running).toBe(1)
      await clock.sleep(1_000)
      running--
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [slow] })
  // #region merged-events
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle() // The reconcile is under way now.
  for (let times = 2; times <= 100; times++) {
    await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { times } } })
  }
  await test.advance('10s')
  expect(test.reports.map(({ result }) => result)).toEqual(['success', 'success'])
  // #endregion
})

test('different objects are reconciled in parallel, if one says so', async () => {
  /** How many of three Greetings are reconciled at the same time. */
  const mostAtOnce = async (options: ControllerOptions): Promise<number> => {
    let [running, most] = [0, 0]
    const slow = controller('slow')
      .for(Greeting)
      .options(options)
      .reconcile(async (_, { clock }) => {
        most = Math.max(most, ++running)
        await clock.sleep(1_000)
        running--
      })
    await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [slow] })
    for (const name of ['a', 'b', 'c']) {
      await test.client.create(Greeting, { metadata: { ...key, name }, spec: { name } })
    }
    await test.advance('1m')
    return most
  }
  // #region parallel
  expect(await mostAtOnce({})).toBe(1)
  expect(await mostAtOnce({ maxConcurrentReconciles: 10 })).toBe(3)
  // #endregion
})

test('what was deleted comes back', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region heals
  await test.client.delete(ConfigMap, child)
  await test.settle()
  expect((await test.client.getOrThrow(ConfigMap, child)).data).toEqual({ text: 'Hello, world! ' })
  // #endregion
})

test('with nothing to do nothing is sent', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.writes()).toEqual(['patch configmaps default/text-of-hello'])
  // #region idempotent
  await test.restart()
  expect(test.writes()).toEqual([])
  // #endregion
})
