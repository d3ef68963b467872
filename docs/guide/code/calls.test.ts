import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, controllerReference, describeCauses } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

// #region controller
const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    await client.apply(ConfigMap, {
      metadata: { ...request, ownerReferences: [controllerReference(greeting, Greeting)] },
      data: { text: `Hello, ${greeting.spec.name}! `.repeat(greeting.spec.times) },
    })
  })
// #endregion

test('the reconciler is called for each of these, with the owner’s name, and knows why', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  // #region causes
  const why = () => test.reports.slice(-1).map((report) => describeCauses(report.causes))

  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.reports.map((report) => describeCauses(report.causes))).toEqual([
    'Greeting default/hello was created',
    'ConfigMap default/hello was created',
  ])

  await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { name: 'you' } } })
  await test.settle()
  expect(test.reports.slice(2).map((report) => describeCauses(report.causes))).toEqual([
    'Greeting default/hello was updated (spec)',
    'ConfigMap default/hello was updated (content)',
  ])

  await test.restart()
  expect(why()).toEqual([
    'Greeting default/hello was there at the start; ConfigMap default/hello was there at the start',
  ])
  // #endregion
})

test('many events for an object that waits make one reconcile', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  // #region merged
  const names = Array.from({ length: 100 }, (_, index) => `guest-${index}`)
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  for (const name of names) {
    await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { name } } })
  }
  await test.settle()
  expect(test.reports.length).toBeLessThan(names.length)
  const { data } = await test.client.getOrThrow(ConfigMap, key)
  expect(data).toEqual({ text: 'Hello, guest-99! ' })
  // #endregion
})

test('what was deleted comes back', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region heals
  await test.client.delete(ConfigMap, key)
  await test.settle()
  expect((await test.client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'Hello, world! ' })
  // #endregion
})

test('with nothing to do nothing is sent', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.writes()).toEqual(['patch configmaps default/hello'])
  // #region idempotent
  await test.restart()
  expect(test.writes()).toEqual([])
  // #endregion
})

test('one object is never reconciled twice at once; different ones are', async () => {
  // #region parallel
  const running = new Map<string, number>()
  let most = 0
  const slow = controller('slow')
    .for(Greeting)
    .options({ maxConcurrentReconciles: 10 })
    .reconcile(async ({ name }, { clock }) => {
      running.set(name, (running.get(name) ?? 0) + 1)
      expect(running.get(name)).toBe(1)
      most = Math.max(most, [...running.values()].filter((count) => count > 0).length)
      await clock.sleep(1_000)
      running.set(name, 0)
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [slow] })
  for (const name of ['a', 'b', 'c']) {
    await test.client.create(Greeting, { metadata: { ...key, name }, spec: { name } })
  }
  for (const times of [2, 3, 4]) {
    await test.client.patch(Greeting, { ...key, name: 'a' }, { type: 'merge', body: { spec: { times } } })
    await test.advance('300ms')
  }
  await test.advance('5s')
  expect(most).toBe(3)
  expect(test.reports.every(({ result }) => result === 'success')).toBe(true)
  expect(test.reports.filter(({ request }) => request.name === 'a').length).toBeLessThanOrEqual(3)
})
