import { Pod, ReplicationController } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { replicationControllerController } from './replica-set-controller.ts'

const namespace = 'default'
const labels = { app: 'web' }
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [replicationControllerController])
})
afterEach(() => bench[Symbol.asyncDispose]())

const containers = [{ name: 'c', image: 'pause' }]
async function create(replicas: number): Promise<void> {
  await bench.client.create(ReplicationController, {
    metadata: { namespace, name: 'web' },
    spec: { replicas, selector: labels, template: { metadata: { labels }, spec: { containers } } },
  })
  await bench.settle()
}
const pods = () => bench.client.list(Pod, { namespace })
const get = () => bench.client.getOrThrow(ReplicationController, { namespace, name: 'web' })

describe('a ReplicationController', () => {
  it('keeps as many Pods as it says, and counts them', async () => {
    await create(2)
    const made = await pods()
    expect(made.map(({ metadata }) => metadata.ownerReferences)).toEqual(
      made.map(() => [
        expect.objectContaining({
          apiVersion: 'v1',
          kind: 'ReplicationController',
          name: 'web',
          controller: true,
        }),
      ]),
    )
    expect((await get()).status).toEqual({ replicas: 2, fullyLabeledReplicas: 2, observedGeneration: 1 })
    for (const { metadata } of made) {
      await bench.setPod(metadata, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })
    }
    await bench.settle()
    expect((await get()).status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 })
    await bench.client.scale.apply(ReplicationController, { namespace, name: 'web' }, { replicas: 1 })
    await bench.settle()
    expect(await pods()).toHaveLength(1)
    expect((await bench.events('web')).sort().map((event) => event.split(':')[0])).toEqual([
      'SuccessfulCreate',
      'SuccessfulCreate',
      'SuccessfulDelete',
    ])
  })

  it('adopts Pods that match, and releases those that no longer do', async () => {
    await bench.client.create(Pod, { metadata: { namespace, name: 'found', labels }, spec: { containers } })
    await create(1)
    const [found] = await pods()
    expect(found?.metadata).toMatchObject({
      name: 'found',
      ownerReferences: [{ kind: 'ReplicationController' }],
    })
    if (found) await bench.client.update(Pod, { ...found, metadata: { ...found.metadata, labels: {} } })
    await bench.settle()
    expect(
      (await pods()).map(({ metadata }) => metadata.ownerReferences?.length ?? 0).toSorted((a, b) => a - b),
    ).toEqual([0, 1])
  })
})
