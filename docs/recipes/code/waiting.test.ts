import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  controllerReference,
  customResourceDefinition,
  defineKind,
  isConditionTrue,
  schema as s,
  type AnyKind,
  type Controller,
  type Manager,
} from 'homeostat'
import { CustomResourceDefinition, Deployment, Secret, StatefulSet } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { App, key, templateOf } from './app.ts'

const selector = { matchLabels: { app: 'shop' } }
const phaseOf = async (test: OperatorTest) => (await test.client.getOrThrow(App, key)).status?.phase

test('waits for a condition of another object', async () => {
  // #region condition
  const app = controller('app')
    .for(App)
    .owns(Deployment)
    .writes(Deployment, 'apply')
    .writes(App, 'status.apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (!app) return
      const ownerReferences = [controllerReference(app)]
      const deployment = await client.apply(Deployment, {
        metadata: { ...request, ownerReferences },
        spec: { selector, template: templateOf(app.spec.image) },
      })
      const conditions = deployment.status?.conditions ?? []
      const available = conditions.some(({ type, status }) => type === 'Available' && status === 'True')
      await client.status.apply(App, request, { phase: available ? 'Ready' : 'Starting' })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [app] })
  await test.client.create(App, { metadata: key, spec: {} })
  await test.settle()
  expect(await phaseOf(test)).toBe('Starting')
  // #region condition-test
  const conditions = [{ type: 'Available', status: 'True' as const }]
  await test.client.status.patch(Deployment, key, { type: 'merge', body: { status: { conditions } } })
  await test.settle()
  expect(await phaseOf(test)).toBe('Ready')
  // #endregion
})

test('starts one thing after another', async () => {
  // #region order
  const ordered = controller('ordered')
    .for(App)
    .owns(Deployment)
    .writes(Deployment, 'apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (!app) return
      const ownerReferences = [controllerReference(app)]
      for (const part of app.spec.parts) {
        const { status } = await client.apply(Deployment, {
          metadata: { namespace: request.namespace, name: `${request.name}-${part}`, ownerReferences },
          spec: { selector, template: templateOf(app.spec.image) },
        })
        if ((status?.availableReplicas ?? 0) === 0) return // The next event of the Deployment calls the reconcile again.
      }
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [ordered] })
  const names = async () => (await test.client.list(Deployment)).map(({ metadata }) => metadata.name)
  await test.client.create(App, { metadata: key, spec: { parts: ['database', 'web'] } })
  await test.settle()
  expect(await names()).toEqual(['shop-database'])
  const status = { replicas: 1, availableReplicas: 1, readyReplicas: 1 }
  await test.client.status.patch(
    Deployment,
    { ...key, name: 'shop-database' },
    { type: 'merge', body: { status } },
  )
  await test.settle()
  expect(await names()).toEqual(['shop-database', 'shop-web'])
})

test('waits for an object that comes later', async () => {
  // #region later
  const reading = controller('reading')
    .for(App)
    .indexes(App, { secret: ({ spec }) => spec.secret })
    .watches(Secret, async ({ metadata: { namespace, name } }, { client }) => {
      const apps = await client.list(App, { namespace, fields: { secret: name } })
      return apps.map(({ metadata }) => ({ namespace, name: metadata.name }))
    })
    .writes(App, 'status.apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (!app?.spec.secret) return
      const secret = await client.get(Secret, { namespace: request.namespace, name: app.spec.secret })
      await client.status.apply(App, request, { phase: secret ? 'Ready' : 'WaitsForSecret' })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [reading] })
  await test.client.create(App, { metadata: key, spec: { secret: 'password' } })
  await test.settle()
  expect(await phaseOf(test)).toBe('WaitsForSecret')
  await test.client.create(Secret, { metadata: { ...key, name: 'password' } })
  await test.settle()
  expect(await phaseOf(test)).toBe('Ready')
})

test('watches a kind that may be absent', async () => {
  const seen: string[] = []
  const Certificate = defineKind({
    group: 'certificates.example.com',
    version: 'v1',
    kind: 'Certificate',
    spec: s.object({ host: s.string() }),
  })
  // #region absent
  const certificates = controller('certificates')
    .for(Certificate)
    .reconcile(({ name }) => void seen.push(name))

  /** Adds the controller to the running manager once the kind is there. */
  const whenServed = (manager: Manager, kind: AnyKind, added: Controller) => {
    const wanted = customResourceDefinition(kind).metadata.name
    let isAdded = false
    return controller(`${added.name}-when-served`)
      .for(CustomResourceDefinition)
      .reconcile(async ({ name }, { client }) => {
        const definition =
          name === wanted && !isAdded && (await client.get(CustomResourceDefinition, { name }))
        if (!definition || !isConditionTrue(definition.status?.conditions, 'Established')) return
        isAdded = true
        manager.add(added)
      })
  }
  // #endregion
  // #region absent-test
  await using test = await OperatorTest.start({
    kinds: [App],
    controllers: [],
    setup: (manager) => manager.add(whenServed(manager, Certificate, certificates)),
  })
  await test.settle()
  await test.client.create(CustomResourceDefinition, customResourceDefinition(Certificate))
  await test.settle()
  await test.client.create(Certificate, { metadata: key, spec: { host: 'shop.example.com' } })
  await test.settle()
  expect(seen).toEqual(['shop'])
  // #endregion
})

test('upgrades the replicas of a StatefulSet one by one, when told', async () => {
  // #region partition
  const rollout = controller('rollout')
    .for(App)
    .owns(StatefulSet)
    .writes(StatefulSet, 'apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (!app) return
      const replicas = 3
      const current = await client.get(StatefulSet, request)
      const isNew = current?.spec?.template?.spec?.containers[0]?.image !== app.spec.image
      // Pods with a number below the partition keep the old template.
      const before = current?.spec?.updateStrategy?.rollingUpdate?.partition ?? 0
      const { observedGeneration, readyReplicas, updatedReplicas = 0 } = current?.status ?? {}
      const isDone =
        observedGeneration === current?.metadata.generation &&
        readyReplicas === replicas &&
        updatedReplicas >= replicas - before
      const partition = isNew ? replicas : isDone ? Math.max(0, before - 1) : before
      await client.apply(StatefulSet, {
        metadata: { ...request, ownerReferences: [controllerReference(app)] },
        spec: {
          replicas,
          selector,
          serviceName: request.name,
          template: templateOf(app.spec.image),
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
        },
      })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [rollout] })
  await test.client.create(App, { metadata: key, spec: {} })
  await test.settle()
  const partition = async () =>
    (await test.client.getOrThrow(StatefulSet, key)).spec?.updateStrategy?.rollingUpdate?.partition
  expect(await partition()).toBe(3)
  const report = async (readyReplicas: number, updatedReplicas: number) => {
    const { metadata } = await test.client.getOrThrow(StatefulSet, key)
    const status = {
      observedGeneration: metadata.generation ?? 0,
      replicas: 3,
      readyReplicas,
      updatedReplicas,
    }
    await test.client.status.patch(StatefulSet, key, { type: 'merge', body: { status } })
    await test.settle()
    return partition()
  }
  // #region partition-test
  expect(await report(3, 0)).toBe(2)
  expect(await report(2, 0)).toBe(2) // The last Pod restarts.
  expect(await report(3, 1)).toBe(1)
  expect(await report(3, 2)).toBe(0)
  // #endregion
})
