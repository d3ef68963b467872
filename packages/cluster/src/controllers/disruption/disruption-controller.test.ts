import { Deployment, Pod, PodDisruptionBudget, type CoreV1, type PolicyV1 } from '@homeostat/api/kinds'
import { ApiError } from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { deploymentController } from '../deployment/deployment-controller.ts'
import { jobController } from '../job/job-controller.ts'
import { replicaSetController } from '../replica-set/replica-set-controller.ts'
import { disruptionController } from './disruption-controller.ts'

const namespace = 'default'
const labels = { app: 'web' }
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [
    deploymentController,
    replicaSetController,
    jobController(),
    disruptionController,
  ])
})
afterEach(() => bench[Symbol.asyncDispose]())

async function deployment(replicas: number): Promise<void> {
  await bench.client.create(Deployment, {
    metadata: { namespace, name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'pause' }] } },
    },
  })
  await bench.settle()
}
async function budget(spec: Partial<PolicyV1.PodDisruptionBudgetSpec>): Promise<void> {
  await bench.client.create(PodDisruptionBudget, {
    metadata: { namespace, name: 'b' },
    spec: { selector: { matchLabels: labels }, ...spec },
  })
  await bench.settle()
}
const pods = () => bench.client.list(Pod, { namespace })
async function makeReady(): Promise<void> {
  for (const { metadata } of await pods()) {
    if (metadata.deletionTimestamp) continue
    const conditions: CoreV1.PodCondition[] = [{ type: 'Ready', status: 'True' }]
    await bench.setPod(metadata, { phase: 'Running', conditions })
  }
  await bench.settle()
}
const status = async () =>
  (await bench.client.getOrThrow(PodDisruptionBudget, { namespace, name: 'b' })).status
const evict = (name: string) =>
  bench.client.subresource('eviction').create(
    Pod,
    { namespace, name },
    {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
    },
  )

describe('a disruption budget', () => {
  it.each([
    [{ maxUnavailable: 1 }, 2, 1],
    [{ maxUnavailable: '34%' }, 1, 2],
    [{ minAvailable: 2 }, 2, 1],
    [{ minAvailable: '50%' }, 2, 1],
    [{ minAvailable: 5 }, 5, 0],
  ])('of %j counts the Pods that it selects', async (spec, desiredHealthy, disruptionsAllowed) => {
    await deployment(3)
    await budget(spec)
    expect(await status()).toMatchObject({ currentHealthy: 0, expectedPods: 3, disruptionsAllowed: 0 })
    await makeReady()
    expect(await status()).toMatchObject({
      currentHealthy: 3,
      desiredHealthy,
      expectedPods: 3,
      disruptionsAllowed,
      observedGeneration: 1,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: disruptionsAllowed > 0 ? 'True' : 'False',
          reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        },
      ],
    })
  })

  it('lets Pods be evicted one after the other', async () => {
    await deployment(3)
    await budget({ maxUnavailable: 1 })
    await makeReady()
    const [first, second] = (await pods()).map(({ metadata }) => metadata.name)
    await evict(first ?? '')
    await bench.settle()
    const refused = await evict(second ?? '').catch((error: unknown) => error)
    expect(refused instanceof ApiError && refused.status.details?.causes?.[0]?.message).toBe(
      'The disruption budget b needs 2 healthy pods and has 2 currently',
    )
    await makeReady()
    await evict(second ?? '')
  })

  it('follows the number of Pods that there should be', async () => {
    await deployment(2)
    await budget({ maxUnavailable: 1 })
    await makeReady()
    await bench.client.scale.apply(Deployment, { namespace, name: 'web' }, { replicas: 4 })
    await bench.settle()
    expect(await status()).toMatchObject({ expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 0 })
  })

  it('says that it selects no Pods', async () => {
    await budget({ minAvailable: 1 })
    expect(await status()).toMatchObject({ expectedPods: 0, disruptionsAllowed: 0 })
    expect(await bench.events('b')).toEqual(['NoPods: No matching pods found'])
  })

  it('reports that the expected number of Pods is unknown', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'x', controller: true }
    await bench.client.create(Pod, {
      metadata: { namespace, name: 'odd', labels, ownerReferences: [{ ...owner, kind: 'Unknown' }] },
      spec: { containers: [{ name: 'c', image: 'pause' }] },
    })
    await budget({ maxUnavailable: 1 })
    expect(await status()).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [
        { status: 'False', reason: 'SyncFailed', message: 'no matches for kind "Unknown" in version "v1"' },
      ],
    })
  })
})
