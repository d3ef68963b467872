import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { ConfigMap, Deployment, EndpointSlice, Lease, Node, Pod } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import type { ClusterOptions } from './cluster-options.ts'

const namespace = 'default'
/** On a busy machine everything takes longer. */
const SLOW = { timeout: 120_000 }

let dataDir: string
let clock: SimulatedClock
let clusters: Cluster[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'homeostat-cluster-data-'))
  clusters = []
})
afterEach(async () => {
  for (const cluster of clusters) await cluster.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(options: ClusterOptions = {}): Promise<Cluster> {
  clock = new SimulatedClock()
  const cluster = await Cluster.start({ clock, port: false, dataDir, ...options })
  clusters.push(cluster)
  await clock.settle()
  return cluster
}

async function close(cluster: Cluster): Promise<void> {
  clusters.splice(clusters.indexOf(cluster), 1)
  await cluster.close()
}

async function createPods(cluster: Cluster, replicas: number, spec: object = {}): Promise<void> {
  const labels = { app: 'web' }
  await cluster.client.create(Deployment, {
    metadata: { namespace, name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'pause' }], ...spec } },
    },
  })
  await clock.settle()
}

const pods = async (cluster: Cluster): Promise<readonly Pod[]> => cluster.client.list(Pod, { namespace })

describe('a cluster with a data folder', SLOW, () => {
  it('carries on with the objects and the Pods of the one before', async () => {
    const first = await start()
    await first.client.create(ConfigMap, { metadata: { namespace, name: 'kept' }, data: { a: '1' } })
    await createPods(first, 2)
    const before = await pods(first)
    expect(before.map(({ status }) => status.phase)).toEqual(['Running', 'Running'])
    await close(first)
    const second = await start()
    expect((await second.client.getOrThrow(ConfigMap, { namespace, name: 'kept' })).data).toEqual({ a: '1' })
    const after = await pods(second)
    expect(after.map(({ metadata }) => metadata.uid)).toEqual(before.map(({ metadata }) => metadata.uid))
    expect(after.map(({ status }) => status.podIP)).toEqual(before.map(({ status }) => status.podIP))
    expect(after.map(({ status }) => status.phase)).toEqual(['Running', 'Running'])
  })

  it('locks it, and names the process that has it', async () => {
    await start()
    await expect(Cluster.start({ dataDir, port: false })).rejects.toMatchObject({
      code: 'CLUSTER_FOLDER_IN_USE',
      message: expect.stringContaining(`(process ${process.pid}): stop it, or choose another folder`),
    })
  })

  it('keeps secrets from others, and leaves no mark when it ends', async () => {
    const cluster = await start()
    await close(cluster)
    expect(readdirSync(dataDir).sort()).toEqual(['api', 'nodes', 'volumes'])
    for (const name of readdirSync(join(dataDir, 'api'))) {
      expect(statSync(join(dataDir, 'api', name)).mode & 0o077, name).toBe(0)
    }
  })

  it('reports why a folder cannot be used', async () => {
    await expect(Cluster.start({ dataDir: '/dev/null/x', port: false })).rejects.toMatchObject({
      code: 'FOLDER_NOT_MADE',
    })
  })
})

describe('a cluster with several nodes', SLOW, () => {
  it('spreads Pods over them, each with addresses of its own', async () => {
    const cluster = await start({ nodes: 2 })
    await createPods(cluster, 4)
    const all = await pods(cluster)
    expect(all.map(({ spec }) => spec.nodeName ?? '').sort()).toEqual([
      'homeostat-1',
      'homeostat-1',
      'homeostat-2',
      'homeostat-2',
    ])
    for (const { spec, status } of all) {
      expect(status.phase).toBe('Running')
      expect(status.podIP).toMatch(
        spec.nodeName === 'homeostat-1' ? /^10\.244\.[0-3]\./ : /^10\.244\.[4-7]\./,
      )
    }
    const nodes = await cluster.client.list(Node)
    expect(nodes.map(({ spec }) => spec.podCIDR)).toEqual(['10.244.0.0/22', '10.244.4.0/22'])
    const leases = await cluster.client.list(Lease, { namespace: 'kube-node-lease' })
    expect(leases.map(({ spec }) => spec?.holderIdentity)).toEqual(['homeostat-1', 'homeostat-2'])
  })

  it('gives a node its labels, taints and capacity', async () => {
    const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' as const }]
    const capacity = { cpu: '64', 'example.com/gpu': '2' }
    const cluster = await start({
      nodes: ['plain', { name: 'gpu', labels: { kind: 'gpu' }, taints, capacity }],
    })
    const node = await cluster.client.getOrThrow(Node, { name: 'gpu' })
    expect(node.metadata.labels).toMatchObject({ kind: 'gpu', 'kubernetes.io/hostname': 'gpu' })
    expect(node.status.allocatable).toMatchObject(capacity)
    await createPods(cluster, 2)
    expect((await pods(cluster)).map(({ spec }) => spec.nodeName)).toEqual(['plain', 'plain'])
  })

  it('marks a node as unreachable that the next cluster on the data does not have', async () => {
    await close(await start({ nodes: 2 }))
    const second = await start({ nodes: ['homeostat-2', 'new'] })
    const ready = (await second.client.list(Node)).map(({ metadata, spec, status }) => [
      metadata.name,
      spec.podCIDR,
      status.conditions?.find(({ type }) => type === 'Ready')?.status,
      (spec.taints ?? []).map(({ key }) => key),
    ])
    expect(ready).toEqual([
      ['homeostat-1', '10.244.0.0/22', 'Unknown', ['node.kubernetes.io/unreachable']],
      ['homeostat-2', '10.244.4.0/22', 'True', []],
      ['new', '10.244.8.0/22', 'True', []],
    ])
    await close(second)
    const third = await start({ nodes: 2 })
    const node = await third.client.getOrThrow(Node, { name: 'homeostat-1' })
    expect(node.spec.taints ?? []).toEqual([])
  })
})

describe('a cluster that has just started', () => {
  it('runs a Pod at once', async () => {
    clock = new SimulatedClock()
    const cluster = await Cluster.start({ clock, port: false })
    clusters.push(cluster)
    await cluster.client.create(Pod, {
      metadata: { namespace, name: 'first' },
      spec: { containers: [{ name: 'main', image: 'pause' }] },
    })
    await clock.settle()
    const { status } = await cluster.client.getOrThrow(Pod, { namespace, name: 'first' })
    expect(status.phase).toBe('Running')
  })
})

describe('the Service kubernetes', () => {
  it('leads to the API, by name and by address', async () => {
    const cluster = await Cluster.start()
    clusters.push(cluster)
    const slice = await cluster.client.getOrThrow(EndpointSlice, { namespace, name: 'kubernetes' })
    expect(slice).toMatchObject({
      endpoints: [{ addresses: ['10.244.0.1'] }],
      ports: [{ name: 'https', port: Number(new URL(cluster.url).port) }],
    })
    for (const host of ['kubernetes', 'kubernetes.default.svc', '10.96.0.1']) {
      const connection = await cluster.connect(host, 443)
      connection.close()
    }
  })
})
