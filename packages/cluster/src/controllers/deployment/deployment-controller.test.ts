import type { CreateOf } from '@homeostat/api'
import { Deployment, Event, ReplicaSet, type AppsV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodPlayer } from '../../../test/pod-player.ts'
import { killAtEachCall, OperatorTest } from '../../testing/index.ts'
import { replicaSetController } from '../replica-set/replica-set-controller.ts'
import { deploymentController } from './deployment-controller.ts'

const namespace = 'default'
const web = { namespace, name: 'web' }
const labels = { app: 'web' }
const REVISION = 'deployment.kubernetes.io/revision'
const controllers = [deploymentController, replicaSetController]

function template(image: string): AppsV1.DeploymentSpec['template'] {
  return { metadata: { labels }, spec: { nodeName: 'node', containers: [{ name: 'web', image }] } }
}
function deployment(spec: Partial<AppsV1.DeploymentSpec> = {}): CreateOf<typeof Deployment> {
  return {
    metadata: web,
    spec: { replicas: 3, selector: { matchLabels: labels }, template: template('web:1'), ...spec },
  }
}

let test: OperatorTest
let player: PodPlayer

beforeEach(async () => {
  test = await OperatorTest.start({ rights: 'all', controllers })
  player = new PodPlayer(test)
})
afterEach(() => test.close())

async function create(spec: Partial<AppsV1.DeploymentSpec> = {}): Promise<void> {
  await test.client.create(Deployment, deployment(spec))
  await test.settle()
}
async function edit(change: Partial<AppsV1.DeploymentSpec>): Promise<void> {
  const current = await test.client.getOrThrow(Deployment, web)
  await test.client.update(Deployment, { ...current, spec: { ...current.spec, ...change } })
  await test.settle()
}
async function current(): Promise<Deployment> {
  return test.client.getOrThrow(Deployment, web)
}
async function condition(type: string): Promise<object | undefined> {
  return (await current()).status.conditions?.find((one) => one.type === type)
}
async function sizes(): Promise<Record<string, number>> {
  const sets = await test.client.list(ReplicaSet, { namespace })
  return Object.fromEntries(
    sets.map(({ metadata, spec }) => [metadata.annotations?.[REVISION] ?? '', spec.replicas ?? 0]),
  )
}
async function told(): Promise<string[]> {
  const events = await test.client.list(Event, { namespace })
  return events
    .filter((event: any) => (event.involvedObject ?? event.regarding).kind === 'Deployment')
    .map(({ type, reason, message, note }: any) => `${type} ${reason} ${message ?? note}`)
    .map((text) => text.replace(/web-[a-z0-9]+/g, 'web-x'))
}

describe('the rollout of a Deployment', () => {
  it('reports its progress, from the first ReplicaSet to the last Pod', async () => {
    await create()
    expect(await condition('Progressing')).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated' })
    expect(await condition('Available')).toMatchObject({
      status: 'False',
      reason: 'MinimumReplicasUnavailable',
    })
    await player.untilQuiet()
    const { status, metadata } = await current()
    expect(metadata.annotations).toEqual({ [REVISION]: '1' })
    expect(metadata.generation).toBe(1)
    expect(status.conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      'Available True MinimumReplicasAvailable',
      'Progressing True NewReplicaSetAvailable',
    ])
    expect(await told()).toEqual(['Normal ScalingReplicaSet Scaled up replica set web-x from 0 to 3'])
    await test.expectNoWrites()
  })

  it('stays within maxSurge and maxUnavailable', async () => {
    await create({ replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } })
    await player.untilQuiet()
    await edit({ template: template('web:2') })
    expect(await sizes()).toEqual({ 1: 3, 2: 2 })
    await player.untilQuiet()
    expect(await sizes()).toEqual({ 1: 0, 2: 4 })
    expect((await player.pods()).map(({ spec }) => spec.containers[0]?.image)).toEqual(Array(4).fill('web:2'))
  })

  it('exceeds its deadline exactly, and continues when Pods become ready later', async () => {
    await create({ replicas: 1, progressDeadlineSeconds: 60 })
    await test.advance('59s')
    expect(await condition('Progressing')).toMatchObject({ status: 'True' })
    await test.advance('3s')
    expect(await condition('Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: expect.stringMatching(/^ReplicaSet "web-[a-z0-9]+" has timed out progressing\.$/),
    })
    await player.untilQuiet()
    expect(await condition('Progressing')).toMatchObject({ status: 'True', reason: 'NewReplicaSetAvailable' })
  })

  it('ends all old Pods before it creates new ones with the strategy Recreate', async () => {
    await create({ replicas: 2, strategy: { type: 'Recreate' } })
    await player.untilQuiet()
    await edit({ template: template('web:2') })
    expect(await sizes()).toEqual({ 1: 0 })
    expect((await player.pods()).every(({ metadata }) => metadata.deletionTimestamp)).toBe(true)
    await player.end()
    expect(await sizes()).toEqual({ 1: 0, 2: 2 })
  })

  it('does not progress while it is paused, and reports it', async () => {
    await create({ replicas: 1 })
    await player.untilQuiet()
    await edit({ paused: true })
    expect(await condition('Progressing')).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' })
    await edit({ template: template('web:2') })
    await test.advance('20m')
    expect(await sizes()).toEqual({ 1: 1 })
    await edit({ paused: false })
    await player.untilQuiet()
    expect(await sizes()).toEqual({ 1: 0, 2: 1 })
  })

  it('shares new Pods between the templates when it is scaled in the middle', async () => {
    await create({ replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } })
    await player.untilQuiet()
    await edit({ template: template('web:2') })
    expect(await sizes()).toEqual({ 1: 8, 2: 5 })
    await edit({ replicas: 20 })
    const scaled = await sizes()
    expect((scaled[1] ?? 0) + (scaled[2] ?? 0)).toBe(23)
    expect(scaled).toEqual({ 1: 14, 2: 9 })
  })

  it('goes back to a revision, which gets a new number and keeps the old ones as its history', async () => {
    await create({ replicas: 1 })
    await player.untilQuiet()
    await edit({ template: template('web:2') })
    await player.untilQuiet()
    await edit({ template: template('web:1') })
    await player.untilQuiet()
    expect(await sizes()).toEqual({ 2: 0, 3: 1 })
    const sets = await test.client.list(ReplicaSet, { namespace })
    const histories = sets.map(
      ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision-history'],
    )
    expect(histories.filter(Boolean)).toEqual(['1'])
    expect((await current()).metadata.annotations?.[REVISION]).toBe('3')
  })

  it('gives another name to a ReplicaSet whose name is taken', async () => {
    await create({ replicas: 1 })
    const [first] = await test.client.list(ReplicaSet, { namespace })
    await test.client.delete(Deployment, web)
    await test.settle()
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true }
    const taken = await test.client.getOrThrow(ReplicaSet, first!.metadata)
    await test.client.update(ReplicaSet, {
      ...taken,
      metadata: { ...taken.metadata, ownerReferences: [other] },
    })
    await create({ replicas: 1 })
    await test.advance('1s')
    expect((await current()).status.collisionCount).toBe(1)
    expect(await test.client.list(ReplicaSet, { namespace })).toHaveLength(2)
  })
})

describe('a Deployment whose Pods are refused', () => {
  it('reports it in its conditions and events, with the server’s message', async () => {
    await test.close()
    test = await OperatorTest.start({
      rights: 'all',
      controllers,
      transport: (inner) => ({
        ...inner,
        async send(request) {
          const making = request.method === 'POST' && request.path.endsWith('/pods')
          if (!making) return inner.send(request)
          const message = 'pods "web" is forbidden: exceeded quota: none'
          const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
          const body = new TextEncoder().encode(
            JSON.stringify({ ...status, reason: 'Forbidden', code: 403, message }),
          )
          return { status: 403, headers: { 'content-type': 'application/json' }, body }
        },
      }),
    })
    await create({ replicas: 3 })
    expect(await condition('ReplicaFailure')).toMatchObject({
      status: 'True',
      reason: 'FailedCreate',
      message: 'pods "web" is forbidden: exceeded quota: none',
    })
    const events = await test.client.list(Event, { namespace })
    const notes = events.map(({ reason, message, note }: any) => `${reason} ${message ?? note}`)
    expect(notes).toContain('FailedCreate Error creating: pods "web" is forbidden: exceeded quota: none')
  })
})

describe('a Deployment’s controllers that are killed anywhere', () => {
  it('end at the same state', { timeout: 300_000 }, async () => {
    const report = await killAtEachCall({ rights: 'all', controllers }, async (test) => {
      const player = new PodPlayer(test)
      await test.client.create(Deployment, deployment({ replicas: 1 }))
      await player.untilQuiet()
      const before = await test.client.getOrThrow(Deployment, web)
      await test.client.update(Deployment, {
        ...before,
        spec: { ...before.spec, template: template('web:2') },
      })
      await test.settle()
      await player.untilQuiet()
      const { status, metadata } = await test.client.getOrThrow(Deployment, web)
      const sets = await test.client.list(ReplicaSet, { namespace })
      return {
        revision: metadata.annotations?.[REVISION],
        counts: [status.replicas, status.updatedReplicas, status.availableReplicas],
        sets: sets.map(({ metadata, spec }) => [metadata.annotations?.[REVISION], spec.replicas]),
        pods: (await player.pods()).map(({ spec }) => spec.containers[0]?.image),
      }
    })
    expect(report.state.pods).toEqual(['web:2'])
    expect(report.kills).toBeGreaterThan(40)
  })
})
