import type { CreateOf } from '@homeostat/api'
import { Event, Pod, ReplicaSet, type AppsV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodPlayer } from '../../../test/pod-player.ts'
import { OperatorTest } from '../../testing/index.ts'
import { replicaSetController } from './replica-set-controller.ts'

const namespace = 'default'
const web = { namespace, name: 'web' }
const labels = { app: 'web' }

let test: OperatorTest
let player: PodPlayer

beforeEach(async () => {
  test = await OperatorTest.start({ rights: 'all', controllers: [replicaSetController] })
  player = new PodPlayer(test)
})
afterEach(() => test.close())

function pod(name: string, rest: object = {}): CreateOf<typeof Pod> {
  return {
    metadata: { namespace, name, labels, ...rest },
    spec: { nodeName: 'node', containers: [{ name: 'web', image: 'web:0' }] },
  }
}
async function create(spec: Partial<AppsV1.ReplicaSetSpec> = {}): Promise<void> {
  const template = {
    metadata: { labels },
    spec: { nodeName: 'node', containers: [{ name: 'web', image: 'web:1' }] },
  }
  await test.client.create(ReplicaSet, {
    metadata: web,
    spec: { replicas: 2, selector: { matchLabels: labels }, template, ...spec },
  })
  await test.settle()
}
async function scale(replicas: number): Promise<void> {
  await test.client.scale.apply(ReplicaSet, web, { replicas }, { force: true })
  await test.settle()
}
async function status(): Promise<ReplicaSet['status']> {
  return (await test.client.getOrThrow(ReplicaSet, web)).status
}

describe('a ReplicaSet', () => {
  it('keeps as many Pods as it should, and says how many are ready', async () => {
    await create()
    expect(await player.names()).toHaveLength(2)
    await player.ready()
    expect(await status()).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      terminatingReplicas: 0,
      observedGeneration: 1,
    })
    await scale(1)
    expect(await status()).toMatchObject({ replicas: 1, terminatingReplicas: 1 })
    await player.end()
    expect(await status()).toMatchObject({ replicas: 1, terminatingReplicas: 0 })
    await test.expectNoWrites()
  })

  it('adopts Pods that match and have no controller, and deletes those that are too many', async () => {
    for (const name of ['a', 'b', 'c']) await test.client.create(Pod, pod(name))
    await player.ready('a', 'b')
    await create()
    expect(await player.names()).toEqual(['a', 'b', 'c†'])
    expect((await player.pods())[0]?.metadata.ownerReferences).toMatchObject([
      { kind: 'ReplicaSet', name: 'web' },
    ])
  })

  it('releases a Pod that no longer matches, and creates another', async () => {
    await create({ replicas: 1 })
    const [before] = await player.pods()
    await test.client.update(Pod, {
      ...before!,
      metadata: { ...before!.metadata, labels: { app: 'debugged' } },
    })
    await test.settle()
    const pods = await player.pods()
    expect(pods).toHaveLength(2)
    expect(
      pods.find(({ metadata }) => metadata.uid === before?.metadata.uid)?.metadata.ownerReferences,
    ).toBeUndefined()
  })

  it('replaces Pods that have ended', async () => {
    await create({ replicas: 1 })
    const [first] = await player.names()
    await player.become(first ?? '', 'Failed')
    expect(await player.names()).toHaveLength(2)
    expect(await status()).toMatchObject({ replicas: 1 })
  })

  it('deletes the Pod that costs least first', async () => {
    const cost = (value: string): object => ({
      annotations: { 'controller.kubernetes.io/pod-deletion-cost': value },
    })
    await test.client.create(Pod, pod('dear', cost('10')))
    await test.client.create(Pod, pod('cheap', cost('-10')))
    await create()
    await player.ready()
    await scale(1)
    expect(await player.names()).toEqual(['cheap†', 'dear'])
  })

  it('counts Pods as available when they have been ready for long enough', async () => {
    await create({ minReadySeconds: 60 })
    await player.ready()
    expect(await status()).toMatchObject({ readyReplicas: 2 })
    expect(await status()).not.toHaveProperty('availableReplicas')
    await test.advance('60s')
    expect(await status()).toMatchObject({ availableReplicas: 2 })
  })

  it('records events for Pods that it creates and deletes', async () => {
    await create({ replicas: 1 })
    const [name] = await player.names()
    await scale(0)
    const events = await test.client.list(Event, { namespace })
    // A list is in the order of the events' names, which are random.
    const told = events.map(({ reason, message, note }: any) => `${reason} ${message ?? note}`).toSorted()
    expect(told).toEqual([`SuccessfulCreate Created pod: ${name}`, `SuccessfulDelete Deleted pod: ${name}`])
  })
})
