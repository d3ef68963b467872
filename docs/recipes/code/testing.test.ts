import { killAtEachCall, OperatorTest } from '@homeostat/cluster/testing'
import { controller, defineKind, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { App, key } from './app.ts'

const DAY = 24 * 3_600_000

const expiring = controller('expiring')
  .for(App)
  .writes(App, 'delete')
  .reconcile(async (request, { client, clock }) => {
    const app = await client.get(App, request)
    if (!app) return {}
    const age = clock.now() - Date.parse(app.metadata.creationTimestamp)
    if (age < 30 * DAY) return { requeueAfter: 30 * DAY - age }
    await client.delete(App, request)
    return {}
  })

test('an app is deleted after thirty days', async () => {
  // #region time
  await using test = await OperatorTest.start({ kinds: [App], controllers: [expiring] })
  await test.client.create(App, { metadata: key, spec: {} })
  await test.advance('719h')
  expect(await test.client.get(App, key)).toBeDefined()
  await test.advance('1h')
  expect(await test.client.get(App, key)).toBeUndefined()
  // #endregion
})

test('a crash at any moment changes nothing in the end', async () => {
  const twoSteps = controller('two-steps')
    .for(App)
    .writes(ConfigMap, 'apply')
    .writes(App, 'status.apply')
    .reconcile(async (request, { client }) => {
      if (!(await client.get(App, request))) return
      await client.apply(ConfigMap, { metadata: request, data: { ready: 'yes' } })
      await client.status.apply(App, request, { phase: 'Ready' })
    })
  // #region crash
  const { state } = await killAtEachCall({ kinds: [App], controllers: [twoSteps] }, async (test) => {
    await test.client.create(App, { metadata: key, spec: {} })
    await test.settle()
    return (await test.client.getOrThrow(App, key)).status
  })
  expect(state).toEqual({ phase: 'Ready' })
  // #endregion
})

test('a settled operator writes nothing', async () => {
  await using test = await OperatorTest.start({ kinds: [App], controllers: [expiring] })
  // #region quiet
  await test.client.create(App, { metadata: key, spec: {} })
  await test.settle()
  await expect(test.expectNoWrites()).resolves.toBeUndefined()
  // #endregion
})

test('a field cannot be changed', async () => {
  // #region immutable
  const Disk = defineKind({
    group: 'recipes.example.com',
    version: 'v1',
    kind: 'Disk',
    spec: s.object({ size: s.string().rule('self == oldSelf', 'a disk cannot change its size') }),
  })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Disk], controllers: [] })
  await test.client.create(Disk, { metadata: key, spec: { size: '1Gi' } })
  const change = test.client.patch(Disk, key, { type: 'merge', body: { spec: { size: '2Gi' } } })
  await expect(change).rejects.toThrow('a disk cannot change its size')
})
