import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock, type CreateOf } from '@homeostat/api'
import { PersistentVolume, PersistentVolumeClaim, Pod, StatefulSet, StorageClass } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import { mountedPath, type ContainerModule } from './images/index.ts'

const namespace = 'default'
const db = { namespace, name: 'db' }
const labels = { app: 'db' }

/** Counts its starts in a file of its volume, and says the number. */
const counter: ContainerModule = async (container) => {
  const file = join(mountedPath(container.mounts, '/data') ?? '', 'starts')
  const starts = (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0) + 1
  writeFileSync(file, String(starts))
  container.stdout.write(`start ${starts}\n`)
  await new Promise((resolve) => container.signal.addEventListener('abort', resolve))
}

const statefulSet: CreateOf<typeof StatefulSet> = {
  metadata: db,
  spec: {
    replicas: 2,
    serviceName: 'db',
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [{ name: 'db', image: 'counter', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
}

let clock: SimulatedClock
let cluster: Cluster

beforeEach(async () => {
  cluster = await start()
})
afterEach(() => cluster.close())

async function start(dataDir?: string): Promise<Cluster> {
  clock = new SimulatedClock()
  const images = { counter: { module: counter } }
  const started = await Cluster.start({ clock, port: false, images, dataDir })
  await clock.settle()
  return started
}

async function said(pod: string): Promise<string> {
  let text = ''
  for await (const chunk of cluster.logs({ namespace, pod })) text += new TextDecoder().decode(chunk)
  return text
}

describe('a Pod with a claim', () => {
  const data = { namespace, name: 'data' }
  const user = { namespace, name: 'user' }
  const pod: CreateOf<typeof Pod> = {
    metadata: user,
    spec: {
      containers: [{ name: 'c', image: 'counter', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  }
  const claim = (storageClassName?: string): CreateOf<typeof PersistentVolumeClaim> => ({
    metadata: data,
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  })

  it('waits for the claim, and runs when it comes', async () => {
    await cluster.client.create(Pod, pod)
    await clock.settle()
    expect((await cluster.client.getOrThrow(Pod, user)).status.phase).toBe('Pending')
    await cluster.client.create(PersistentVolumeClaim, claim())
    await clock.advance('1m')
    expect((await cluster.client.getOrThrow(Pod, user)).status.phase).toBe('Running')
    expect(await said('user')).toBe('start 1\n')
  })

  it('is the first consumer that a claim waited for', async () => {
    await cluster.client.create(StorageClass, {
      metadata: { name: 'lazy' },
      provisioner: 'folder.homeostat.dev',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
    await cluster.client.create(PersistentVolumeClaim, claim('lazy'))
    await clock.settle()
    expect((await cluster.client.getOrThrow(PersistentVolumeClaim, data)).status.phase).toBe('Pending')
    await cluster.client.create(Pod, pod)
    await clock.advance('1m')
    expect((await cluster.client.getOrThrow(PersistentVolumeClaim, data)).status.phase).toBe('Bound')
    expect((await cluster.client.getOrThrow(Pod, user)).status.phase).toBe('Running')
  })

  it('keeps a claim that is deleted until the Pod has ended', async () => {
    await cluster.client.create(PersistentVolumeClaim, claim())
    await cluster.client.create(Pod, pod)
    await clock.settle()
    await cluster.client.delete(PersistentVolumeClaim, data)
    await clock.advance('5m')
    expect((await cluster.client.getOrThrow(Pod, user)).status.phase).toBe('Running')
    const going = await cluster.client.getOrThrow(PersistentVolumeClaim, data)
    expect(going.metadata.deletionTimestamp).toBeDefined()
    await cluster.client.delete(Pod, user)
    await clock.settle()
    expect(await cluster.client.get(PersistentVolumeClaim, data)).toBeUndefined()
    expect(await cluster.client.list(PersistentVolume)).toEqual([])
  })
})

describe('a StatefulSet with volumes', () => {
  it('gives each Pod a volume that the next Pod of its name finds again', async () => {
    await cluster.client.create(StatefulSet, statefulSet)
    await clock.settle()
    expect(await said('db-0')).toBe('start 1\n')
    expect(await said('db-1')).toBe('start 1\n')
    await cluster.client.delete(Pod, { namespace, name: 'db-0' })
    await clock.settle()
    expect(await said('db-0')).toBe('start 2\n')
    expect(await said('db-1')).toBe('start 1\n')
    const claims = await cluster.client.list(PersistentVolumeClaim, { namespace })
    expect(claims.map(({ metadata, status }) => [metadata.name, status.phase])).toEqual([
      ['data-db-0', 'Bound'],
      ['data-db-1', 'Bound'],
    ])
  })

  it('finds its data again when the cluster is restarted on its folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'homeostat-volumes-'))
    try {
      await cluster.close()
      cluster = await start(dataDir)
      await cluster.client.create(StatefulSet, statefulSet)
      await clock.settle()
      expect(await said('db-1')).toBe('start 1\n')
      await cluster.close()
      cluster = await start(dataDir)
      expect(await said('db-1')).toBe('start 2\n')
    } finally {
      await cluster.close()
      rmSync(dataDir, { recursive: true })
    }
  })

  it('keeps its claims when it is deleted, and the data is deleted with the claims', async () => {
    await cluster.client.create(StatefulSet, statefulSet)
    await clock.settle()
    await cluster.client.delete(StatefulSet, db)
    await clock.settle()
    expect(await cluster.client.list(Pod, { namespace })).toEqual([])
    expect(await cluster.client.list(PersistentVolume)).toHaveLength(2)
    await cluster.client.deleteAllOf(PersistentVolumeClaim, { namespace })
    await clock.settle()
    expect(await cluster.client.list(PersistentVolume)).toEqual([])
  })
})
