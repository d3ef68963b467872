import type { CreateOf } from '@homeostat/api'
import {
  Event,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  VolumeAttributesClass,
  type CoreV1,
} from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { killAtEachCall, OperatorTest } from '../../testing/index.ts'
import { persistentVolumeControllers } from './controllers.ts'
import type { VolumeFolders } from './folder-provisioner.ts'
import { ensureStandardClass } from './standard-class.ts'

const namespace = 'default'
const data = { namespace, name: 'data' }

function claim(spec: Partial<CoreV1.PersistentVolumeClaimSpec> = {}): CreateOf<typeof PersistentVolumeClaim> {
  return {
    metadata: data,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  }
}
function volume(
  name: string,
  spec: Partial<CoreV1.PersistentVolumeSpec> = {},
): CreateOf<typeof PersistentVolume> {
  return {
    metadata: { name },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: '/data' },
      ...spec,
    },
  }
}

/** Records the folders instead of creating them. */
class NotedFolders implements VolumeFolders {
  readonly names = new Set<string>()
  create(handle: string): Promise<void> {
    this.names.add(handle)
    return Promise.resolve()
  }
  remove(handle: string): Promise<void> {
    this.names.delete(handle)
    return Promise.resolve()
  }
}

let folders: NotedFolders
let test: OperatorTest

beforeEach(async () => {
  folders = new NotedFolders()
  test = await OperatorTest.start({ rights: 'all', controllers: persistentVolumeControllers(folders) })
})
afterEach(() => test.close())

async function create(wanted = claim()): Promise<PersistentVolumeClaim> {
  await test.client.create(PersistentVolumeClaim, wanted)
  await test.settle()
  return test.client.getOrThrow(PersistentVolumeClaim, data)
}
async function told(name: string): Promise<string[]> {
  const events = await test.client.list(Event, { namespace })
  return events
    .filter((event: any) => (event.involvedObject ?? event.regarding).name === name)
    .map(({ type, reason, message, note }: any) => `${type} ${reason} ${message ?? note}`)
}
async function volumeOf(name: string): Promise<PersistentVolume> {
  return test.client.getOrThrow(PersistentVolume, { name })
}

describe('a claim of the standard class', () => {
  beforeEach(() => ensureStandardClass(test.client))

  it('gets a volume with a folder of its own', async () => {
    const bound = await create()
    const name = `pvc-${bound.metadata.uid}`
    expect(bound.spec).toMatchObject({ storageClassName: 'standard', volumeName: name })
    expect(bound.status).toEqual({
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
    })
    expect(bound.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])
    expect(bound.metadata.annotations).toEqual({
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
      'volume.kubernetes.io/storage-provisioner': 'folder.homeostat.dev',
      'volume.beta.kubernetes.io/storage-provisioner': 'folder.homeostat.dev',
    })
    const made = await volumeOf(name)
    expect(made.spec).toMatchObject({
      capacity: { storage: '1Gi' },
      csi: { driver: 'folder.homeostat.dev', volumeHandle: name },
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'standard',
      claimRef: { namespace, name: 'data', uid: bound.metadata.uid },
    })
    expect(made.status.phase).toBe('Bound')
    expect([...folders.names]).toEqual([name])
    expect(await told('data')).toEqual(
      expect.arrayContaining([
        `Normal Provisioning External provisioner is provisioning volume for claim "default/data"`,
        `Normal ProvisioningSucceeded Successfully provisioned volume ${name}`,
      ]),
    )
    await test.expectNoWrites()
  })

  it('is deleted with its volume and the folder', async () => {
    const bound = await create()
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect(await test.client.get(PersistentVolumeClaim, data)).toBeUndefined()
    expect(await test.client.get(PersistentVolume, { name: bound.spec.volumeName! })).toBeUndefined()
    expect(folders.names.size).toBe(0)
  })

  it('stays as long as a Pod on a node uses it', async () => {
    await create()
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    const user = { namespace, name: 'user' }
    await test.client.create(Pod, {
      metadata: user,
      spec: { nodeName: 'node', containers: [{ name: 'c', image: 'pause' }], volumes },
    })
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect(
      (await test.client.getOrThrow(PersistentVolumeClaim, data)).metadata.deletionTimestamp,
    ).toBeDefined()
    await test.client.delete(Pod, user, { gracePeriodSeconds: 0 })
    await test.settle()
    expect(await test.client.get(PersistentVolumeClaim, data)).toBeUndefined()
    expect(folders.names.size).toBe(0)
  })

  it('keeps the volume where its policy was changed to Retain', async () => {
    const bound = await create()
    const made = await volumeOf(bound.spec.volumeName!)
    const spec = { ...made.spec, persistentVolumeReclaimPolicy: 'Retain' as const }
    await test.client.update(PersistentVolume, { ...made, spec })
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect((await volumeOf(made.metadata.name)).status.phase).toBe('Released')
    expect(folders.names.size).toBe(1)
  })

  it('lets its volume grow when it asks for more', async () => {
    const bound = await create()
    const resources = { requests: { storage: '3Gi' } }
    await test.client.update(PersistentVolumeClaim, { ...bound, spec: { ...bound.spec, resources } })
    await test.settle()
    const { status } = await test.client.getOrThrow(PersistentVolumeClaim, data)
    expect(status.capacity).toEqual({ storage: '3Gi' })
    expect((await volumeOf(bound.spec.volumeName!)).spec.capacity).toEqual({ storage: '3Gi' })
    expect(await told('data')).toContain('Normal VolumeResizeSuccessful Resize volume succeeded')
    await test.expectNoWrites()
  })

  it('gets an event with the reason when no volume can be created', async () => {
    await create(claim({ volumeMode: 'Block' }))
    expect(await told('data')).toContain(
      'Warning ProvisioningFailed failed to provision volume with StorageClass "standard": block volume provisioning is not supported',
    )
    expect(folders.names.size).toBe(0)
  })
})

describe('a claim of a class that waits for a consumer', () => {
  beforeEach(async () => {
    await test.client.create(StorageClass, {
      metadata: { name: 'lazy' },
      provisioner: 'folder.homeostat.dev',
      volumeBindingMode: 'WaitForFirstConsumer',
    })
  })

  it('is bound when a node was chosen for its Pod', async () => {
    const waiting = await create(claim({ storageClassName: 'lazy' }))
    expect(waiting.status.phase).toBe('Pending')
    expect(await told('data')).toContain(
      'Normal WaitForFirstConsumer waiting for first consumer to be created before binding',
    )
    await test.client.create(Pod, {
      metadata: { namespace, name: 'user' },
      spec: {
        containers: [{ name: 'c', image: 'pause' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    })
    await test.settle()
    expect(await told('data')).toContain('Normal WaitForPodScheduled waiting for pod user to be scheduled')
    const before = await test.client.getOrThrow(PersistentVolumeClaim, data)
    const annotations = { ...before.metadata.annotations, 'volume.kubernetes.io/selected-node': 'node' }
    await test.client.update(PersistentVolumeClaim, {
      ...before,
      metadata: { ...before.metadata, annotations },
    })
    await test.settle()
    expect((await test.client.getOrThrow(PersistentVolumeClaim, data)).status.phase).toBe('Bound')
  })
})

describe('a volume that lives with its Pod', () => {
  const pod: CreateOf<typeof Pod> = {
    metadata: { namespace, name: 'user' },
    spec: {
      containers: [{ name: 'c', image: 'pause' }],
      volumes: [
        {
          name: 'data',
          ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec: claim().spec ?? {} } },
        },
      ],
    },
  }

  it('gets a claim that belongs to the Pod', async () => {
    await ensureStandardClass(test.client)
    await test.client.create(Pod, pod)
    await test.settle()
    const made = await test.client.getOrThrow(PersistentVolumeClaim, { namespace, name: 'user-data' })
    expect(made.metadata.labels).toEqual({ a: 'b' })
    expect(made.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', name: 'user', controller: true }])
    expect(made.status.phase).toBe('Bound')
    await test.expectNoWrites()
  })

  it('never takes a claim that another object controls', async () => {
    await test.client.create(PersistentVolumeClaim, {
      ...claim(),
      metadata: { namespace, name: 'user-data' },
    })
    await test.client.create(Pod, pod)
    await test.settle()
    expect(await told('user')).toEqual([
      'Warning FailedBinding ephemeral volume data: PVC default/user-data was not created for pod default/user (pod is not owner)',
    ])
  })
})

describe('volumes that a user made', () => {
  it('are found by claims, before or after them', async () => {
    const waiting = await create(claim({ storageClassName: '' }))
    expect(waiting.status.phase).toBe('Pending')
    expect(await told('data')).toContain(
      'Normal FailedBinding no persistent volumes available for this claim and no storage class is set',
    )
    await test.client.create(PersistentVolume, volume('large', { capacity: { storage: '5Gi' } }))
    await test.settle()
    expect((await test.client.getOrThrow(PersistentVolumeClaim, data)).spec.volumeName).toBe('large')
    const taken = await volumeOf('large')
    expect(taken.metadata.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' })
    expect(taken.metadata.finalizers).toEqual(['kubernetes.io/pv-protection'])
    expect(taken.status.phase).toBe('Bound')
  })

  it('are released, and not bound again, when their claim is gone', async () => {
    await test.client.create(PersistentVolume, volume('v'))
    await test.settle()
    expect((await volumeOf('v')).status.phase).toBe('Available')
    await create(claim({ storageClassName: '' }))
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect((await volumeOf('v')).status.phase).toBe('Released')
    expect((await create(claim({ storageClassName: '' }))).status.phase).toBe('Pending')
    const released = await volumeOf('v')
    const { claimRef: _, ...spec } = released.spec
    await test.client.update(PersistentVolume, { ...released, spec })
    await test.settle()
    expect((await test.client.getOrThrow(PersistentVolumeClaim, data)).status.phase).toBe('Bound')
  })

  it('stay while they are bound, although they are deleted', async () => {
    await test.client.create(PersistentVolume, volume('v'))
    await create(claim({ storageClassName: '' }))
    await test.client.delete(PersistentVolume, { name: 'v' })
    await test.settle()
    expect((await volumeOf('v')).metadata.deletionTimestamp).toBeDefined()
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect(await test.client.get(PersistentVolume, { name: 'v' })).toBeUndefined()
  })

  it('are kept for a claim that they name, and refuse one that asks for more', async () => {
    const claimRef = { namespace, name: 'data' }
    await test.client.create(PersistentVolume, volume('kept', { claimRef }))
    await test.client.create(PersistentVolume, volume('small', { capacity: { storage: '100Mi' } }))
    await test.settle()
    expect((await volumeOf('kept')).status.phase).toBe('Available')
    const other = { namespace, name: 'other' }
    await test.client.create(PersistentVolumeClaim, {
      ...claim({ storageClassName: '', volumeName: 'small' }),
      metadata: other,
    })
    await create(claim({ storageClassName: '' }))
    expect((await test.client.getOrThrow(PersistentVolumeClaim, data)).spec.volumeName).toBe('kept')
    expect((await test.client.getOrThrow(PersistentVolumeClaim, other)).status.phase).toBe('Pending')
    expect(await told('other')).toContain(
      'Warning VolumeMismatch Cannot bind to requested volume "small": requested PV is too small',
    )
  })

  it('are never deleted from this machine, and report it', async () => {
    await test.client.create(PersistentVolume, volume('v', { persistentVolumeReclaimPolicy: 'Delete' }))
    await create(claim({ storageClassName: '' }))
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect((await volumeOf('v')).status).toMatchObject({
      phase: 'Failed',
      message: 'error getting deleter volume plugin for volume "v": no deletable volume plugin matched',
    })
  })

  it('leave a claim lost when they are removed by force', async () => {
    await test.client.create(PersistentVolume, volume('v'))
    await create(claim({ storageClassName: '' }))
    await test.client.delete(PersistentVolume, { name: 'v' })
    const going = await volumeOf('v')
    await test.client.update(PersistentVolume, { ...going, metadata: { ...going.metadata, finalizers: [] } })
    await test.settle()
    expect((await test.client.getOrThrow(PersistentVolumeClaim, data)).status.phase).toBe('Lost')
    expect(await told('data')).toContain(
      'Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!',
    )
  })
})

describe('a claim without a class', () => {
  it('gets the default one that comes later', async () => {
    expect((await create()).spec.storageClassName).toBeUndefined()
    await ensureStandardClass(test.client)
    await test.settle()
    const bound = await test.client.getOrThrow(PersistentVolumeClaim, data)
    expect(bound.spec.storageClassName).toBe('standard')
    expect(bound.status.phase).toBe('Bound')
  })

  it('gets an event when its class does not exist', async () => {
    await create(claim({ storageClassName: 'nowhere' }))
    expect(await told('data')).toContain(
      'Warning ProvisioningFailed storageclass.storage.k8s.io "nowhere" not found',
    )
  })
})

describe('a class of attributes that is deleted', () => {
  const gold = { name: 'gold' }
  const deleted = async (): Promise<void> => {
    await test.client.delete(VolumeAttributesClass, gold)
    await test.settle()
  }
  beforeEach(async () => {
    await test.client.create(VolumeAttributesClass, {
      metadata: gold,
      driverName: 'disks.example.com',
      parameters: { iops: '3000' },
    })
    await test.settle()
  })

  it('goes at once where nothing names it', async () => {
    await deleted()
    expect(await test.client.get(VolumeAttributesClass, gold)).toBeUndefined()
  })

  it('stays until the last claim that names it is gone', async () => {
    await create(claim({ storageClassName: '', volumeAttributesClassName: 'gold' }))
    await deleted()
    const kept = await test.client.getOrThrow(VolumeAttributesClass, gold)
    expect(kept.metadata.finalizers).toEqual(['kubernetes.io/vac-protection'])
    await test.client.delete(PersistentVolumeClaim, data)
    await test.settle()
    expect(await test.client.get(VolumeAttributesClass, gold)).toBeUndefined()
  })

  it('stays as long as a volume names it', async () => {
    const csi = { driver: 'disks.example.com', volumeHandle: '1' }
    const { hostPath: _, ...spec } = volume('disk', { csi, volumeAttributesClassName: 'gold' }).spec ?? {}
    await test.client.create(PersistentVolume, { metadata: { name: 'disk' }, spec })
    await deleted()
    expect(await test.client.get(VolumeAttributesClass, gold)).toBeDefined()
    await test.client.delete(PersistentVolume, { name: 'disk' })
    await test.settle()
    expect(await test.client.get(VolumeAttributesClass, gold)).toBeUndefined()
  })
})

describe('the binding of volumes, killed anywhere', () => {
  it('ends at the same state', { timeout: 300_000 }, async () => {
    const shared = { folders: new NotedFolders() }
    const controllers = persistentVolumeControllers({
      create: (handle) => shared.folders.create(handle),
      remove: (handle) => shared.folders.remove(handle),
    })
    const report = await killAtEachCall({ rights: 'all', controllers }, async (test) => {
      shared.folders = new NotedFolders()
      await ensureStandardClass(test.client)
      await test.client.create(PersistentVolumeClaim, claim())
      await test.client.create(PersistentVolumeClaim, { ...claim(), metadata: { namespace, name: 'other' } })
      await test.settle()
      await test.client.delete(PersistentVolumeClaim, { namespace, name: 'other' })
      await test.settle()
      const claims = await test.client.list(PersistentVolumeClaim)
      const volumes = await test.client.list(PersistentVolume)
      return {
        claims: claims.map(({ metadata, status }) => [metadata.name, status.phase]),
        volumes: volumes.map(({ spec, status }) => [spec.claimRef?.name, status.phase]),
        folders: shared.folders.names.size,
      }
    })
    expect(report.state).toEqual({ claims: [['data', 'Bound']], volumes: [['data', 'Bound']], folders: 1 })
    expect(report.kills).toBeGreaterThan(40)
  })
})
