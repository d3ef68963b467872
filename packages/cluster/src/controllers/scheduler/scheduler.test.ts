import type { CreateOf } from '@homeostat/api'
import {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  type CoreV1,
} from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { scheduler } from './scheduler.ts'

const namespace = 'default'
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [scheduler()])
})
afterEach(() => bench[Symbol.asyncDispose]())

async function node(
  name: string,
  allocatable: Record<string, string> = { cpu: '2', pods: '10' },
): Promise<void> {
  const created = await bench.client.create(Node, { metadata: { name } })
  const conditions = [{ type: 'Ready', status: 'True' as const }]
  await bench.client.status.update(Node, {
    ...created,
    status: { allocatable, capacity: allocatable, conditions },
  })
  await bench.settle()
}
async function pod(name: string, spec: Partial<CoreV1.PodSpec> = {}): Promise<void> {
  const wanted: CreateOf<typeof Pod> = {
    metadata: { namespace, name },
    spec: { containers: [{ name: 'c', image: 'pause' }], ...spec },
  }
  await bench.client.create(Pod, wanted)
  await bench.settle()
}
const get = (name: string): Promise<Pod> => bench.client.getOrThrow(Pod, { namespace, name })
const nodeOf = async (name: string): Promise<string | undefined> => (await get(name)).spec.nodeName
const cpu = (amount: string): Partial<CoreV1.PodSpec> => ({
  containers: [{ name: 'c', image: 'pause', resources: { requests: { cpu: amount } } }],
})

describe('the scheduler', () => {
  it('binds a Pod, and records an event', async () => {
    await node('n')
    await pod('a')
    expect(await nodeOf('a')).toBe('n')
    expect((await get('a')).status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }])
    expect(await bench.events('a')).toEqual(['Scheduled: Successfully assigned default/a to n'])
  })

  it('spreads Pods that are created together, and overcommits no node', async () => {
    await node('n1')
    await node('n2')
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => pod(name, cpu('1'))))
    const nodes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(nodeOf))
    expect(nodes.filter((name) => name === 'n1')).toHaveLength(2)
    expect(nodes.filter((name) => name === 'n2')).toHaveLength(2)
    expect(nodes.filter((name) => name === undefined)).toHaveLength(1)
  })

  it('reports why a Pod has no node, and binds it when another Pod leaves or a node is added', async () => {
    await pod('early')
    const reason = 'no nodes available to schedule pods'
    expect((await get('early')).status.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: reason },
    ])
    expect(await bench.events('early')).toEqual([`FailedScheduling: ${reason}`])
    await node('n')
    expect(await nodeOf('early')).toBe('n')
    await pod('big', cpu('2'))
    await pod('late', cpu('1'))
    expect(await nodeOf('late')).toBeUndefined()
    await bench.setPod({ namespace, name: 'big' }, { phase: 'Succeeded' })
    await bench.settle()
    expect(await nodeOf('late')).toBe('n')
  })

  it('leaves Pods alone that wait behind a gate, name a node, or another scheduler', async () => {
    await node('n')
    await pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] })
    await pod('other', { schedulerName: 'mine' })
    await pod('fixed', { nodeName: 'elsewhere' })
    expect([await nodeOf('gated'), await nodeOf('other'), await nodeOf('fixed')]).toEqual([
      undefined,
      undefined,
      'elsewhere',
    ])
    await bench.client.patch(
      Pod,
      { namespace, name: 'gated' },
      { type: 'merge', body: { spec: { schedulingGates: [] } } },
    )
    await bench.settle()
    expect(await nodeOf('gated')).toBe('n')
  })

  it('waits for the claims of a Pod, and names the node to those that wait for it', async () => {
    await node('n')
    const spec: Partial<CoreV1.PodSpec> = {
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    }
    await pod('db', spec)
    const message = async (): Promise<string | undefined> => (await get('db')).status.conditions?.[0]?.message
    expect(await message()).toBe('0/1 nodes are available: persistentvolumeclaim "data" not found. not found')
    await bench.client.create(StorageClass, {
      metadata: { name: 'late' },
      provisioner: 'example.com/p',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    const claim = await bench.client.create(PersistentVolumeClaim, {
      metadata: { namespace, name: 'data' },
      spec: {
        storageClassName: 'late',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    })
    await bench.settle()
    const chosen = await bench.client.getOrThrow(PersistentVolumeClaim, claim.metadata)
    expect(chosen.metadata.annotations).toMatchObject({ 'volume.kubernetes.io/selected-node': 'n' })
    expect(await nodeOf('db')).toBeUndefined()
    const annotations = { ...chosen.metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes' }
    await bench.client.update(PersistentVolumeClaim, {
      ...chosen,
      metadata: { ...chosen.metadata, annotations },
      spec: { ...chosen.spec, volumeName: 'pv' },
    })
    await bench.settle()
    expect(await nodeOf('db')).toBe('n')
  })

  it('waits for a volume to be made by hand where its class has no provisioner', async () => {
    await node('n')
    await bench.client.create(StorageClass, {
      metadata: { name: 'local' },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    const storage = { storage: '1Gi' }
    const spec = { storageClassName: 'local', accessModes: ['ReadWriteOnce' as const] }
    const data = { namespace, name: 'data' }
    await bench.client.create(PersistentVolumeClaim, {
      metadata: data,
      spec: { ...spec, resources: { requests: storage } },
    })
    await pod('db', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })
    const [condition] = (await get('db')).status.conditions ?? []
    expect(condition?.message).toMatch(/1 node\(s\) didn't find available persistent volumes to bind\./)
    const volume = await bench.client.create(PersistentVolume, {
      metadata: { name: 'v' },
      spec: { ...spec, capacity: storage, hostPath: { path: '/x' } },
    })
    await bench.client.status.update(PersistentVolume, { ...volume, status: { phase: 'Available' } })
    await bench.settle()
    const claim = await bench.client.getOrThrow(PersistentVolumeClaim, data)
    expect(claim.metadata.annotations).toMatchObject({ 'volume.kubernetes.io/selected-node': 'n' })
  })

  it('follows anti-affinity among Pods that are created together, and tries again when another Pod is deleted', async () => {
    await node('n1')
    await node('n2')
    for (const name of ['n1', 'n2']) {
      const found = await bench.client.getOrThrow(Node, { name })
      const labels = { 'kubernetes.io/hostname': name }
      await bench.client.update(Node, { ...found, metadata: { ...found.metadata, labels } })
    }
    const podAffinityTerm = {
      labelSelector: { matchLabels: { app: 'web' } },
      topologyKey: 'kubernetes.io/hostname',
    }
    const affinity = {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [podAffinityTerm] },
    }
    const labels = { app: 'web' }
    const create = (name: string) =>
      bench.client.create(Pod, {
        metadata: { namespace, name, labels },
        spec: { affinity, containers: [{ name: 'c', image: 'pause' }] },
      })
    await Promise.all(['a', 'b', 'c'].map(create))
    await bench.settle()
    const nodes = await Promise.all(['a', 'b', 'c'].map(nodeOf))
    expect(new Set(nodes)).toEqual(new Set(['n1', 'n2', undefined]))
    const placed = ['a', 'b', 'c'].find((_, index) => nodes[index] !== undefined) ?? ''
    const waiting = ['a', 'b', 'c'].find((_, index) => nodes[index] === undefined) ?? ''
    expect((await get(waiting)).status.conditions?.[0]?.message).toContain(
      "2 node(s) didn't match pod anti-affinity rules",
    )
    const { spec } = await get(placed)
    await bench.client.delete(Pod, { namespace, name: placed }, { gracePeriodSeconds: 0 })
    await bench.settle()
    expect(await nodeOf(waiting)).toBe(spec.nodeName)
  })

  it('tries a Pod again whose affinity waits for another Pod', async () => {
    await node('n1')
    const found = await bench.client.getOrThrow(Node, { name: 'n1' })
    await bench.client.update(Node, { ...found, metadata: { ...found.metadata, labels: { zone: 'a' } } })
    const podAffinityTerm = { labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'zone' }
    await pod('web', {
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [podAffinityTerm] } },
    })
    await pod('db')
    expect(await nodeOf('web')).toBeUndefined()
    const db = await get('db')
    await bench.client.update(Pod, { ...db, metadata: { ...db.metadata, labels: { app: 'db' } } })
    await bench.settle()
    expect(await nodeOf('web')).toBe('n1')
  })
})
