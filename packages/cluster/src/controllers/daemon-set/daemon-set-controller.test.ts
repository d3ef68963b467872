import { ControllerRevision, DaemonSet, Node, Pod, type AppsV1, type CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { scheduler } from '../scheduler/scheduler.ts'
import { daemonSetController } from './daemon-set-controller.ts'

const namespace = 'default'
const labels = { app: 'agent' }
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [daemonSetController, scheduler()])
})
afterEach(() => bench[Symbol.asyncDispose]())

async function node(
  name: string,
  more: { labels?: object; spec?: Partial<CoreV1.NodeSpec> } = {},
): Promise<void> {
  const created = await bench.client.create(Node, {
    metadata: { name, labels: { ...more.labels } },
    ...(more.spec && { spec: more.spec }),
  })
  const conditions: CoreV1.NodeCondition[] = [{ type: 'Ready', status: 'True' }]
  const allocatable = { cpu: '2', pods: '10' }
  await bench.client.status.update(Node, { ...created, status: { allocatable, conditions } })
  await bench.settle()
}
async function change(name: string, spec: Partial<CoreV1.NodeSpec>, more: object = {}): Promise<void> {
  const found = await bench.client.getOrThrow(Node, { name })
  await bench.client.update(Node, {
    ...found,
    metadata: { ...found.metadata, ...more },
    spec: { ...found.spec, ...spec },
  })
  await bench.settle()
}
const template = (spec: object = {}, annotations: Record<string, string> = {}) => ({
  metadata: { labels, annotations },
  spec: { containers: [{ name: 'c', image: 'pause' }], ...spec },
})
async function create(spec: Partial<AppsV1.DaemonSetSpec> = {}): Promise<void> {
  await bench.client.create(DaemonSet, {
    metadata: { namespace, name: 'agent' },
    spec: { selector: { matchLabels: labels }, template: template(), ...spec },
  })
  await bench.settle()
}
const get = () => bench.client.getOrThrow(DaemonSet, { namespace, name: 'agent' })
async function update(spec: Partial<AppsV1.DaemonSetSpec>): Promise<void> {
  const set = await get()
  await bench.client.update(DaemonSet, { ...set, spec: { ...set.spec, ...spec } })
  await bench.settle()
}
const pods = async (): Promise<readonly Pod[]> => bench.client.list(Pod, { namespace })
const nodes = async (): Promise<(string | undefined)[]> =>
  (await pods())
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ spec }) => spec.nodeName)
    .toSorted((a = '', b = '') => (a < b ? -1 : 1))
/** All Pods run, and those that are being deleted are gone. */
async function play(phase = 'Running'): Promise<void> {
  for (const { metadata } of await pods()) {
    if (metadata.deletionTimestamp) await bench.client.delete(Pod, metadata, { gracePeriodSeconds: 0 })
    else {
      const conditions: CoreV1.PodCondition[] = [
        { type: 'Ready', status: phase === 'Running' ? 'True' : 'False' },
      ]
      await bench.setPod(metadata, { phase: phase as never, conditions })
    }
    await bench.settle()
  }
}

describe('a DaemonSet', () => {
  it('has a Pod on each node, also on those that come later, and says how many', async () => {
    await node('n1')
    await node('n2')
    await create()
    expect(await nodes()).toEqual(['n1', 'n2'])
    expect((await get()).status).toEqual({
      currentNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 0,
      numberUnavailable: 2,
      updatedNumberScheduled: 2,
      observedGeneration: 1,
    })
    await node('n3')
    expect(await nodes()).toEqual(['n1', 'n2', 'n3'])
    await play()
    expect((await get()).status).toMatchObject({
      numberReady: 3,
      numberAvailable: 3,
      desiredNumberScheduled: 3,
    })
    expect(await bench.events('agent')).toHaveLength(3)
  })

  it('makes its Pods as Kubernetes does', async () => {
    await node('n1')
    await create()
    const [pod] = await pods()
    expect(pod?.metadata).toMatchObject({
      generateName: 'agent-',
      labels: { app: 'agent', 'pod-template-generation': '1' },
      ownerReferences: [{ kind: 'DaemonSet', name: 'agent', controller: true, blockOwnerDeletion: true }],
    })
    expect(pod?.spec.affinity).toEqual({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
        },
      },
    })
    expect(pod?.spec.tolerations?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      'node.kubernetes.io/not-ready:NoExecute',
      'node.kubernetes.io/unreachable:NoExecute',
      'node.kubernetes.io/disk-pressure:NoSchedule',
      'node.kubernetes.io/memory-pressure:NoSchedule',
      'node.kubernetes.io/pid-pressure:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ])
  })

  it('runs on the nodes that it selects, and leaves those that it no longer selects', async () => {
    await node('n1', { labels: { disk: 'ssd' } })
    await node('n2')
    await node('n3', { labels: { disk: 'ssd' }, spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } })
    await node('n4', { labels: { disk: 'ssd' }, spec: { unschedulable: true } })
    await create({ template: template({ nodeSelector: { disk: 'ssd' } }) })
    expect(await nodes()).toEqual(['n1', 'n4'])
    await play()
    await change('n1', {}, { labels: {} })
    expect(await nodes()).toEqual(['n4'])
    await play()
    await change('n2', {}, { labels: { disk: 'ssd' } })
    expect(await nodes()).toEqual(['n2', 'n4'])
    // The taint NoSchedule keeps new Pods away. The Pod on the node stays, although the set no longer wants it there.
    await change('n2', { taints: [{ key: 'k', effect: 'NoSchedule' }] })
    expect(await nodes()).toEqual(['n2', 'n4'])
    expect((await get()).status).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 1 })
  })

  it('replaces its Pods one after the other when its template changes', async () => {
    await node('n1')
    await node('n2')
    await create()
    await play()
    const before = new Set((await pods()).map(({ metadata }) => metadata.name))
    await update({ template: template({}, { version: '2' }) })
    const left = async () => (await pods()).filter(({ metadata }) => !metadata.deletionTimestamp)
    expect((await left()).filter(({ metadata }) => before.has(metadata.name))).toHaveLength(1)
    await play()
    expect((await get()).status).toMatchObject({ updatedNumberScheduled: 1, numberUnavailable: 1 })
    await play()
    await play()
    await play()
    const after = await left()
    expect(after.filter(({ metadata }) => before.has(metadata.name))).toEqual([])
    expect((await get()).status).toMatchObject({ updatedNumberScheduled: 2, numberAvailable: 2 })
    const revisions = await bench.client.list(ControllerRevision, { namespace })
    expect(revisions.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual([1, 2])
    const hashes = revisions.map(({ metadata }) => metadata.labels?.['controller-revision-hash'])
    expect(hashes).toContain(after[0]?.metadata.labels?.['controller-revision-hash'])
  })

  it('makes the new Pod first where it may surge', async () => {
    await node('n1')
    await create({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    })
    await play()
    await update({ template: template({}, { version: '2' }) })
    expect(await nodes()).toEqual(['n1', 'n1'])
    await play()
    await play()
    const [only, ...others] = await pods()
    expect(others).toEqual([])
    expect(only?.metadata.annotations).toEqual({ version: '2' })
  })

  it('waits until Pods are deleted with the strategy OnDelete', async () => {
    await node('n1')
    await create({ updateStrategy: { type: 'OnDelete' } })
    await play()
    await update({ template: template({}, { version: '2' }) })
    const [old] = await pods()
    expect(old?.metadata.annotations).toBeUndefined()
    await bench.client.delete(Pod, { namespace, name: old?.metadata.name ?? '' }, { gracePeriodSeconds: 0 })
    await bench.settle()
    expect((await pods())[0]?.metadata.annotations).toEqual({ version: '2' })
  })

  it('replaces a Pod that failed, though not at once', async () => {
    await node('n1')
    await create()
    const [first] = await pods()
    await play('Failed')
    expect((await pods())[0]?.metadata.deletionTimestamp).toBeUndefined()
    await bench.advance('10s')
    await play()
    const [second] = await pods()
    expect(second?.metadata.name).not.toBe(first?.metadata.name)
    const events = await bench.events('agent')
    expect(events).toContain(
      `FailedDaemonPod: Found failed daemon pod default/${first?.metadata.name} on node n1, will try to kill it`,
    )
  })
})
