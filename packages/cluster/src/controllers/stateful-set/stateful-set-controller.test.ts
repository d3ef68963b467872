import { SimulatedClock, type CreateOf } from '@homeostat/api'
import {
  ControllerRevision,
  Event,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
  type AppsV1,
} from '@homeostat/api/kinds'
import { createClient, type KindFinder } from 'homeostat'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodPlayer } from '../../../test/pod-player.ts'
import { killAtEachCall, OperatorTest } from '../../testing/index.ts'
import { garbageCollector } from '../../garbage-collector/garbage-collector.ts'
import { statefulSetController } from './stateful-set-controller.ts'

const namespace = 'default'
const web = { namespace, name: 'web' }
const labels = { app: 'web' }

function statefulSet(
  spec: Partial<AppsV1.StatefulSetSpec> = {},
  image = 'web:1',
): CreateOf<typeof StatefulSet> {
  return {
    metadata: web,
    spec: {
      replicas: 3,
      serviceName: 'web',
      selector: { matchLabels: labels },
      template: template(image),
      ...spec,
    },
  }
}
function template(image: string): AppsV1.StatefulSetSpec['template'] {
  return { metadata: { labels }, spec: { nodeName: 'node', containers: [{ name: 'web', image }] } }
}
const storage: Partial<AppsV1.StatefulSetSpec> = {
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
}

let test: OperatorTest
let player: PodPlayer

beforeEach(async () => {
  test = await OperatorTest.start({ rights: 'all', controllers: [statefulSetController] })
  player = new PodPlayer(test)
})
afterEach(() => test.close())

async function create(spec: Partial<AppsV1.StatefulSetSpec> = {}): Promise<void> {
  await test.client.create(StatefulSet, statefulSet(spec))
  await test.settle()
}
async function edit(change: Partial<AppsV1.StatefulSetSpec>): Promise<void> {
  const set = await test.client.getOrThrow(StatefulSet, web)
  await test.client.update(StatefulSet, { ...set, spec: { ...set.spec, ...change } })
  await test.settle()
}
async function status(): Promise<StatefulSet['status']> {
  return (await test.client.getOrThrow(StatefulSet, web)).status
}
async function images(): Promise<(string | undefined)[]> {
  return (await player.pods()).map(({ spec }) => spec.containers[0]?.image)
}
async function revisions(): Promise<readonly ControllerRevision[]> {
  const all = await test.client.list(ControllerRevision, { namespace })
  return [...all].sort((a, b) => a.revision - b.revision)
}
async function claims(): Promise<string[]> {
  return (await test.client.list(PersistentVolumeClaim, { namespace })).map(({ metadata }) => metadata.name)
}

describe('a StatefulSet', () => {
  it('brings its Pods up one after the other', async () => {
    await create()
    expect(await player.names()).toEqual(['web-0'])
    await player.ready('web-0')
    expect(await player.names()).toEqual(['web-0', 'web-1'])
    await player.untilQuiet()
    expect(await player.names()).toEqual(['web-0', 'web-1', 'web-2'])
    const [revision] = await revisions()
    expect(await status()).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: revision?.metadata.name,
      updateRevision: revision?.metadata.name,
      collisionCount: 0,
    })
    await test.expectNoWrites()
  })

  it('reports its changes in events', async () => {
    await create({ replicas: 1, ...storage })
    await player.ready()
    await edit({ replicas: 0 })
    const events = await test.client.list(Event, { namespace })
    const told = events.map(({ type, reason, message, note }: any) => `${type} ${reason} ${message ?? note}`)
    expect(told).toEqual(
      expect.arrayContaining([
        'Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success',
        'Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful',
        'Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful',
      ]),
    )
  })

  it('deletes Pods from the last, one after the other', async () => {
    await create()
    await player.untilQuiet()
    await edit({ replicas: 1 })
    expect(await player.names()).toEqual(['web-0', 'web-1', 'web-2†'])
    await player.end()
    expect(await player.names()).toEqual(['web-0', 'web-1†'])
    await player.end()
    expect(await player.names()).toEqual(['web-0'])
  })

  it('starts all Pods at once with the policy Parallel', async () => {
    await create({ podManagementPolicy: 'Parallel' })
    expect(await player.names()).toEqual(['web-0', 'web-1', 'web-2'])
    await edit({ replicas: 0 })
    expect(await player.names()).toEqual(['web-0†', 'web-1†', 'web-2†'])
  })

  it('replaces Pods from the last to the first, and keeps the history', async () => {
    await create()
    await player.untilQuiet()
    await edit({ template: template('web:2') })
    expect(await player.names()).toEqual(['web-0', 'web-1', 'web-2†'])
    expect(await status()).toMatchObject({ currentReplicas: 2, observedGeneration: 2 })
    await player.end()
    expect(await images()).toEqual(['web:1', 'web:1', 'web:2'])
    expect(await player.names()).toEqual(['web-0', 'web-1', 'web-2'])
    await player.untilQuiet()
    expect(await images()).toEqual(['web:2', 'web:2', 'web:2'])
    const [, second] = await revisions()
    expect(await status()).toMatchObject({
      currentRevision: second?.metadata.name,
      updateRevision: second?.metadata.name,
      currentReplicas: 3,
    })
  })

  it('goes back to an earlier template by its revision, which becomes the newest', async () => {
    await create({ replicas: 1 })
    await player.untilQuiet()
    const [first] = await revisions()
    await edit({ template: template('web:2') })
    await player.untilQuiet()
    await edit({ template: template('web:1') })
    await player.untilQuiet()
    expect((await revisions()).map(({ metadata, revision }) => [metadata.name, revision])).toEqual([
      [expect.not.stringMatching(first?.metadata.name ?? ''), 2],
      [first?.metadata.name, 3],
    ])
  })

  it('replaces only Pods from the partition on', async () => {
    await create()
    await player.untilQuiet()
    const updateStrategy = { type: 'RollingUpdate' as const, rollingUpdate: { partition: 2 } }
    await edit({ template: template('web:2'), updateStrategy })
    await player.untilQuiet()
    expect(await images()).toEqual(['web:1', 'web:1', 'web:2'])
    await test.client.delete(Pod, { namespace, name: 'web-0' }, { gracePeriodSeconds: 0 })
    await player.untilQuiet()
    expect(await images()).toEqual(['web:1', 'web:1', 'web:2'])
    await edit({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } })
    await player.untilQuiet()
    expect(await images()).toEqual(['web:2', 'web:2', 'web:2'])
  })

  it('replaces a Pod only after it was deleted with the strategy OnDelete', async () => {
    await create({ replicas: 2, updateStrategy: { type: 'OnDelete' } })
    await player.untilQuiet()
    await edit({ template: template('web:2') })
    expect(await images()).toEqual(['web:1', 'web:1'])
    await test.client.delete(Pod, { namespace, name: 'web-1' }, { gracePeriodSeconds: 0 })
    await player.untilQuiet()
    expect(await images()).toEqual(['web:1', 'web:2'])
  })

  it('makes a failed Pod again', async () => {
    await create({ replicas: 1 })
    const [before] = await player.pods()
    await player.become('web-0', 'Failed')
    const [after] = await player.pods()
    expect(after?.status.phase).toBe('Pending')
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid)
  })

  it('waits until a Pod has been ready for long enough', async () => {
    await create({ replicas: 2, minReadySeconds: 30 })
    await player.ready()
    expect(await player.names()).toEqual(['web-0'])
    expect(await status()).toMatchObject({ readyReplicas: 1, availableReplicas: 0 })
    await test.advance('30s')
    expect(await player.names()).toEqual(['web-0', 'web-1'])
    expect(await status()).toMatchObject({ readyReplicas: 1, availableReplicas: 1 })
  })

  it('adopts a Pod of its name and labels without a controller, and releases one that no longer matches', async () => {
    await create({ replicas: 1 })
    await player.ready()
    const [pod] = await player.pods()
    await test.client.update(Pod, { ...pod!, metadata: { ...pod!.metadata, labels: { app: 'other' } } })
    await test.settle()
    const released = await test.client.getOrThrow(Pod, { namespace, name: 'web-0' })
    expect(released.metadata.ownerReferences).toBeUndefined()
    await test.client.update(Pod, {
      ...released,
      metadata: { ...released.metadata, labels: pod!.metadata.labels },
    })
    await test.settle()
    const taken = await test.client.getOrThrow(Pod, { namespace, name: 'web-0' })
    expect(taken.metadata.ownerReferences).toMatchObject([{ kind: 'StatefulSet', name: 'web' }])
  })

  it('keeps no more revisions than its history limit', async () => {
    await create({ replicas: 1, revisionHistoryLimit: 1 })
    await player.untilQuiet()
    for (const tag of [2, 3, 4]) {
      await edit({ template: template(`web:${tag}`) })
      await player.untilQuiet()
    }
    expect((await revisions()).map(({ revision }) => revision)).toEqual([3, 4])
  })

  it('raises the collision count where the name of a revision is taken', async () => {
    await create({ replicas: 0 })
    const [taken] = await revisions()
    await test.client.delete(StatefulSet, web)
    await test.settle()
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true }
    await test.client.delete(ControllerRevision, taken!.metadata)
    await test.client.create(ControllerRevision, {
      metadata: { namespace, name: taken!.metadata.name, labels, ownerReferences: [other] },
      data: { spec: {} },
      revision: 1,
    })
    await create({ replicas: 0 })
    expect(await status()).toMatchObject({ collisionCount: 1 })
    expect(await revisions()).toHaveLength(2)
  })
})

describe('the claims of a StatefulSet', () => {
  it('are created before their Pods, and outlive them', async () => {
    await create({ replicas: 2, ...storage })
    expect(await claims()).toEqual(['data-web-0'])
    await player.untilQuiet()
    await edit({ replicas: 0 })
    await player.untilQuiet()
    expect(await player.names()).toEqual([])
    expect(await claims()).toEqual(['data-web-0', 'data-web-1'])
  })

  it('have the Pod or the set as owner where they are deleted with it', async () => {
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' } as const
    await create({ replicas: 2, ...storage, persistentVolumeClaimRetentionPolicy })
    await player.untilQuiet()
    const ownersOf = async (name: string): Promise<unknown> =>
      (await test.client.getOrThrow(PersistentVolumeClaim, { namespace, name })).metadata.ownerReferences
    expect(await ownersOf('data-web-1')).toMatchObject([{ kind: 'StatefulSet', name: 'web' }])
    await edit({ replicas: 1 })
    expect(await player.names()).toEqual(['web-0', 'web-1†'])
    expect(await ownersOf('data-web-1')).toMatchObject([{ kind: 'Pod', name: 'web-1' }])
    expect(await ownersOf('data-web-0')).toMatchObject([{ kind: 'StatefulSet', name: 'web' }])
  })

  it('are deleted with their Pod, and a new Pod of the name waits for that', async () => {
    await test.close()
    let kinds: KindFinder | undefined
    const finder: KindFinder = {
      list: (...args) => kinds!.list(...args),
      find: (...args) => kinds!.find(...args),
    }
    test = await OperatorTest.start({
      rights: 'all',
      controllers: [statefulSetController, garbageCollector(finder)],
      transport: (inner) => {
        kinds = createClient({ transport: inner, clock: new SimulatedClock() }).kinds
        return inner
      },
    })
    player = new PodPlayer(test)
    await create({
      replicas: 2,
      ...storage,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
    })
    await player.untilQuiet()
    await edit({ replicas: 1 })
    await player.untilQuiet()
    expect(await claims()).toEqual(['data-web-0'])
    await edit({ replicas: 2 })
    await player.untilQuiet()
    expect(await player.names()).toEqual(['web-0', 'web-1'])
    expect(await claims()).toEqual(['data-web-0', 'data-web-1'])
  })
})

describe('a StatefulSet’s controller that is killed anywhere', () => {
  it('ends at the same state', { timeout: 300_000 }, async () => {
    const report = await killAtEachCall(
      { rights: 'all', controllers: [statefulSetController] },
      async (test) => {
        const player = new PodPlayer(test)
        await test.client.create(StatefulSet, statefulSet({ replicas: 1, ...storage }))
        await player.untilQuiet()
        const set = await test.client.getOrThrow(StatefulSet, web)
        await test.client.update(StatefulSet, { ...set, spec: { ...set.spec, template: template('web:2') } })
        await test.settle()
        await player.untilQuiet()
        const { status } = await test.client.getOrThrow(StatefulSet, web)
        const revisions = await test.client.list(ControllerRevision, { namespace })
        return {
          status,
          pods: (await player.pods()).map(({ metadata, spec }) => [metadata.name, spec.containers[0]?.image]),
          revisions: revisions.map(({ metadata, revision }) => [metadata.name, revision]),
        }
      },
    )
    expect(report.kills).toBeGreaterThan(40)
    expect(report.state.pods).toEqual([['web-0', 'web:2']])
  })
})
