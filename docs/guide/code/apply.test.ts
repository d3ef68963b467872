import { isDeepStrictEqual } from 'node:util'
import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, controllerReference, isApplyConflict, type CreateOf } from 'homeostat'
import { Deployment, Event } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

// #region controller
const labels = { app: 'greeter' }
const wanted = {
  metadata: key,
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'greeter', image: 'busybox' }] },
    },
  },
} satisfies CreateOf<typeof Deployment>

const greeting = controller('greeting')
  .for(Greeting)
  .owns(Deployment)
  .writes(Deployment, 'apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const ownerReferences = [controllerReference(greeting)]
    await client.apply(Deployment, { ...wanted, metadata: { ...key, ownerReferences } })
  })
// #endregion

async function start() {
  const test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.writes()).toEqual(['patch deployments default/hello'])
  return test
}

test('the server fills in fields that the controller did not set', async () => {
  await using test = await start()
  // #region defaults
  const { spec } = await test.client.getOrThrow(Deployment, key)
  expect(spec).toEqual({
    replicas: 1,
    selector: { matchLabels: { app: 'greeter' } },
    template: {
      metadata: { labels: { app: 'greeter' } },
      spec: {
        containers: [
          {
            name: 'greeter',
            image: 'busybox',
            // and now what the server added:
            imagePullPolicy: 'Always',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
    },
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  })
  // #endregion
})

test('the second apply sends nothing', async () => {
  await using test = await start()
  // #region second
  await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { name: 'you' } } })
  await test.settle()
  expect(test.reports.length).toBeGreaterThan(1)
  expect(test.writes()).toEqual([])
  // #endregion
})

test('an edit is healed', async () => {
  await using test = await start()
  // #region healed
  const patch = { type: 'merge', body: { spec: { replicas: 5 } } } as const
  await test.client.patch(Deployment, key, patch, { fieldManager: 'kubectl-edit' })
  await test.settle()
  expect((await test.client.getOrThrow(Deployment, key)).spec.replicas).toBe(1)
  // #endregion
})

test('a field that is left out belongs to others', async () => {
  // #region left
  const { replicas: _, ...rest } = wanted.spec
  const elastic = controller('elastic')
    .for(Greeting)
    .owns(Deployment)
    .writes(Deployment, 'apply')
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (!greeting) return
      const ownerReferences = [controllerReference(greeting)]
      await client.apply(Deployment, { metadata: { ...key, ownerReferences }, spec: rest })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [elastic] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  test.writes()
  // #region autoscaler
  const patch = { type: 'merge', body: { spec: { replicas: 5 } } } as const
  await test.client.patch(Deployment, key, patch, { fieldManager: 'autoscaler' })
  await test.settle()
  expect((await test.client.getOrThrow(Deployment, key)).spec.replicas).toBe(5)
  expect(test.writes()).toEqual([])
  // #endregion
})

test('a manager that takes a field again and again is named', async () => {
  await using test = await start()
  // #region contested
  for (let times = 0; times < 4; times++) {
    const patch = { type: 'merge', body: { spec: { replicas: 5 } } } as const
    await test.client.patch(Deployment, key, patch, { fieldManager: 'autoscaler' })
    await test.settle()
  }
  const [event] = await test.client.list(Event, { namespace: 'default' })
  expect(event).toMatchObject({ reason: 'FieldContested', regarding: { kind: 'Greeting', name: 'hello' } })
  expect(event?.note).toBe(
    'autoscaler keeps changing spec.replicas of Deployment default/hello, and greeting keeps changing it back. ' +
      'Leave the field out of what greeting writes, or stop autoscaler from writing it. ' +
      'Until then events reconcile this object less often.',
  )
  // #endregion
})

test('without force the second manager of a field gets a conflict', async () => {
  await using test = await start()
  // #region conflict
  const scaled = { metadata: key, spec: { ...wanted.spec, replicas: 3 } }
  const asked = test.client.apply(Deployment, scaled, { force: false })
  const error: unknown = await asked.catch((error: unknown) => error)
  expect(isApplyConflict(error)).toBe(true)
  expect(String(error)).toContain('conflict with "greeting": .spec.replicas')
  // #endregion
})

test('what a manager no longer applies goes, and what others set stays', async () => {
  await using test = await start()
  // #region removed
  const applied = (labels: Record<string, string>, fieldManager: string) =>
    test.client.apply(Deployment, { metadata: { ...key, labels } }, { fieldManager })
  await applied({ team: 'blue', tier: 'front' }, 'a-tool')
  await applied({ audited: 'yes' }, 'an-auditor')
  await applied({ team: 'blue' }, 'a-tool')
  const { metadata } = await test.client.getOrThrow(Deployment, key)
  expect(metadata.labels).toEqual({ team: 'blue', audited: 'yes' })
  // #endregion
})

test('lists of maps merge by key', async () => {
  await using test = await start()
  // #region merged
  const sidecar = { spec: { containers: [{ name: 'sidecar', image: 'busybox' }] } }
  const injected = { metadata: key, spec: { selector: { matchLabels: labels }, template: sidecar } }
  await test.client.apply(Deployment, injected, { fieldManager: 'an-injector' })
  const { spec } = await test.client.getOrThrow(Deployment, key)
  expect(spec?.template?.spec?.containers?.map(({ name }) => name)).toEqual(['greeter', 'sidecar'])
  // #endregion
  await test.expectNoWrites()
})

test('who compares with the defaults writes with every reconcile', async () => {
  // #region naive
  const naive = controller('naive')
    .for(Greeting)
    .reads(Deployment)
    .writes(Deployment, 'create', 'update')
    .reconcile(async (_, { client }) => {
      const found = await client.get(Deployment, key)
      if (!found) await client.create(Deployment, wanted)
      else if (!isDeepStrictEqual(found.spec, wanted.spec)) {
        await client.update(Deployment, { ...found, spec: wanted.spec })
      }
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [naive] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(test.writes()).toEqual(['create deployments default'])
  // #region naive-writes
  const { resourceVersion } = (await test.client.getOrThrow(Deployment, key)).metadata
  await test.restart()
  expect(test.writes()).toEqual(['update deployments default/hello'])
  await test.restart()
  expect(test.writes()).toEqual(['update deployments default/hello'])
  expect((await test.client.getOrThrow(Deployment, key)).metadata.resourceVersion).toBe(resourceVersion)
  // #endregion
})
