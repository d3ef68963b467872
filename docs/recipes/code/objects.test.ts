import { createHash } from 'node:crypto'
import { OperatorTest } from '@homeostat/cluster/testing'
import { cacheKind, controller, controllerReference, metadataOnly } from 'homeostat'
import { ConfigMap, Deployment, Namespace, Secret } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { App, key, templateOf } from './app.ts'

const selector = { matchLabels: { app: 'shop' } }

test('a paused object is left alone', async () => {
  // #region pause
  const pausable = controller('pausable')
    .for(App)
    .writes(ConfigMap, 'apply')
    .reconcile(async (request, { client, log }) => {
      const app = await client.get(App, request)
      if (!app) return
      if (app.spec.paused) {
        log.info('paused')
        return
      }
      await client.apply(ConfigMap, { metadata: request, data: { image: app.spec.image } })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [pausable] })
  await test.client.create(App, { metadata: key, spec: { paused: true } })
  await test.settle()
  expect(await test.client.get(ConfigMap, key)).toBeUndefined()
  await test.client.patch(App, key, { type: 'merge', body: { spec: { paused: false } } })
  await test.settle()
  expect(await test.client.get(ConfigMap, key)).toBeDefined()
})

test('children that are no longer wanted are pruned', async () => {
  // #region prune
  const pruning = controller('pruning')
    .for(App)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply', 'delete')
    .reconcile(async ({ namespace, name }, { client }) => {
      const app = await client.get(App, { namespace, name })
      if (!app) return
      const labels = { 'recipes.example.com/app': name }
      const ownerReferences = [controllerReference(app)]
      const wanted = app.spec.parts.map((part) => `${name}-${part}`)
      for (const each of wanted) {
        await client.apply(ConfigMap, { metadata: { namespace, name: each, labels, ownerReferences } })
      }
      for (const { metadata } of await client.list(ConfigMap, { namespace, labels })) {
        const isOurs = metadata.ownerReferences?.some(({ uid }) => uid === app.metadata.uid)
        if (isOurs && !wanted.includes(metadata.name))
          await client.delete(ConfigMap, { namespace, name: metadata.name })
      }
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [pruning] })
  const names = async () =>
    (await test.client.list(ConfigMap, { namespace: 'default' })).map(({ metadata }) => metadata.name)
  await test.client.create(App, { metadata: key, spec: { parts: ['a', 'b'] } })
  await test.settle()
  expect(await names()).toEqual(['shop-a', 'shop-b'])
  await test.client.patch(App, key, { type: 'merge', body: { spec: { parts: ['b'] } } })
  await test.settle()
  expect(await names()).toEqual(['shop-b'])
})

test('a Secret is copied into every namespace', async () => {
  const source = { namespace: 'default', name: 'registry' }
  // #region copy
  const copying = controller('copying')
    .for(Namespace)
    .watches(Secret, async ({ metadata }, { client }) => {
      if (metadata.name !== source.name) return []
      // A change of the source concerns all namespaces, a change of a copy only its own namespace.
      if (metadata.namespace !== source.namespace) return { name: metadata.namespace }
      return (await client.list(Namespace)).map(({ metadata: { name } }) => ({ name }))
    })
    .writes(Secret, 'apply')
    .reconcile(async ({ name: namespace }, { client }) => {
      const target = await client.get(Namespace, { name: namespace })
      const secret = await client.get(Secret, source)
      if (!target || target.metadata.deletionTimestamp || !secret || namespace === source.namespace) return
      const { type, data } = secret
      await client.apply(Secret, { metadata: { namespace, name: source.name }, type, data })
    })
  // #endregion
  await using test = await OperatorTest.start({ controllers: [copying] })
  await test.client.create(Namespace, { metadata: { name: 'team' } })
  await test.client.create(Secret, { metadata: source, data: { word: 'b25l' } })
  await test.settle()
  const copy = { ...source, namespace: 'team' }
  expect((await test.client.getOrThrow(Secret, copy)).data).toEqual({ word: 'b25l' })
  await test.client.patch(Secret, source, { type: 'merge', body: { data: { word: 'dHdv' } } })
  await test.settle()
  expect((await test.client.getOrThrow(Secret, copy)).data).toEqual({ word: 'dHdv' })
  await test.client.delete(Secret, copy)
  await test.settle()
  expect(await test.client.get(Secret, copy)).toBeDefined()
})

test('an operator sees some namespaces only', async () => {
  const seen: string[] = []
  const app = controller('app')
    .for(App)
    .reconcile(({ namespace }) => void seen.push(namespace))
  // #region namespaces
  const manager = { cache: { namespaces: ['team-a', 'team-b'] } }
  await using test = await OperatorTest.start({ kinds: [App], controllers: [app], manager })
  // #endregion
  for (const namespace of ['team-a', 'team-b', 'team-c']) {
    await test.client.create(Namespace, { metadata: { name: namespace } })
    await test.client.create(App, { metadata: { namespace, name: 'shop' }, spec: {} })
  }
  await test.settle()
  expect(seen.toSorted()).toEqual(['team-a', 'team-b'])
})

test('Secrets are not kept in memory', async () => {
  const words: (string | undefined)[] = []
  // #region memory
  const Labels = metadataOnly(Secret) // The cache has their metadata, and no data.
  const frugal = controller('frugal')
    .for(App)
    .watches(Labels, ({ metadata: { namespace, name } }) => ({ namespace, name }))
    .reads(Secret)
    .reconcile(async (request, { client }) => {
      if (!(await client.get(App, request)) || !(await client.get(Labels, request))) return
      const secret = await client.get(Secret, request) // Asks the server, for this one alone.
      words.push(secret?.data?.['word'])
    })
  const manager = { cache: { kinds: [cacheKind(Secret, { readLive: true })] } }
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [frugal], manager })
  await test.client.create(App, { metadata: key, spec: {} })
  await test.client.create(Secret, { metadata: key, data: { word: 'b25l' } })
  await test.settle()
  expect(words.at(-1)).toBe('b25l')
})

test('an autoscaler may set the replicas', async () => {
  // #region autoscaler
  const scaled = controller('scaled')
    .for(App)
    .owns(Deployment)
    .writes(Deployment, 'apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (!app) return
      const metadata = { ...request, ownerReferences: [controllerReference(app)] }
      // No replicas: an apply owns the fields that it names, and no others.
      await client.apply(Deployment, { metadata, spec: { selector, template: templateOf(app.spec.image) } })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [scaled] })
  await test.client.create(App, { metadata: key, spec: {} })
  await test.settle()
  await test.client.patch(Deployment, key, { type: 'merge', body: { spec: { replicas: 5 } } })
  await test.client.patch(App, key, { type: 'merge', body: { spec: { image: 'app:2' } } })
  await test.settle()
  const { spec } = await test.client.getOrThrow(Deployment, key)
  expect([spec?.replicas, spec?.template?.spec?.containers[0]?.image]).toEqual([5, 'app:2'])
})

test('Pods restart when their configuration changes', async () => {
  // #region restart
  const restarting = controller('restarting')
    .for(App)
    .owns(Deployment)
    .watches(ConfigMap, ({ metadata: { namespace, name } }) => ({ namespace, name }))
    .writes(Deployment, 'apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      const configuration = await client.get(ConfigMap, request)
      if (!app || !configuration) return
      const hash = createHash('sha256')
        .update(JSON.stringify(configuration.data ?? {}))
        .digest('hex')
      const template = templateOf(app.spec.image, { 'recipes.example.com/configuration': hash })
      const metadata = { ...request, ownerReferences: [controllerReference(app)] }
      await client.apply(Deployment, { metadata, spec: { selector, template } })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [restarting] })
  const hash = async () =>
    (await test.client.getOrThrow(Deployment, key)).spec?.template?.metadata?.annotations
  await test.client.create(App, { metadata: key, spec: {} })
  await test.client.create(ConfigMap, { metadata: key, data: { color: 'blue' } })
  await test.settle()
  const before = await hash()
  await test.client.patch(ConfigMap, key, { type: 'merge', body: { data: { color: 'red' } } })
  await test.settle()
  expect(await hash()).not.toEqual(before)
})
