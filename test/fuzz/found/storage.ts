import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import { again, type TreeObject } from '../json-tree.ts'
import { APPLY, MERGE, NAMESPACED, container, labels, template, found, create } from './found-case.ts'

/** Volumes, claims, and amounts of resources. */
export function storage(): FuzzCase[] {
  return [...roundedAmounts(), ...storageWrites(), inlineVolumes(), recycledRoots()]
}

/** Amounts that are finer than a thousandth, of claims and in what a kubelet reports. */
function roundedAmounts(): FuzzCase[] {
  const fine = { cpu: '1u', memory: '0.1m' }
  const reported = { allocatedResources: fine, resources: { limits: fine, requests: fine } }
  const status = { name: 'c', image: 'i', imageID: 'i', ready: true, restartCount: 0, ...reported }
  const resources = { requests: { storage: '1u' }, limits: { storage: '1.0001', other: '0.1m' } }
  const spec = { accessModes: ['ReadWriteOnce'], resources }
  const claim = { metadata: { name: 'data' }, spec, status: { capacity: { storage: '5n' } } }
  return [
    found(
      'apps/v1 StatefulSet',
      'fine amounts in a template for claims',
      create('/apis/apps/v1/namespaces/{ns}/statefulsets', {
        metadata: { name: 's' },
        spec: {
          serviceName: 's',
          selector: { matchLabels: labels },
          template,
          volumeClaimTemplates: [claim],
        },
      }),
    ),
    found('v1 PersistentVolumeClaim', 'fine amounts', create(`${NAMESPACED}/persistentvolumeclaims`, claim)),
    found(
      'v1 Pod',
      'fine amounts in its status',
      {
        method: 'POST',
        path: `${NAMESPACED}/pods`,
        body: { metadata: { name: 'fine' }, spec: { containers: [container] } },
      },
      {
        method: 'PATCH',
        path: `${NAMESPACED}/pods/fine/status?dryRun=All`,
        type: MERGE,
        body: { status: { containerStatuses: [status], ...reported } },
      },
      {
        method: 'PUT',
        path: `${NAMESPACED}/pods/fine/resize?dryRun=All`,
        body: { metadata: { name: 'fine', selfLink: '.' }, spec: { containers: [container] } },
      },
    ),
    found(
      'v1 Pod',
      'fine amounts in a claim of its own',
      create(`${NAMESPACED}/pods`, {
        metadata: { name: 'p' },
        spec: {
          containers: [container],
          volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec } } }],
        },
      }),
    ),
  ]
}

/** Writes of volumes, claims and classes. */
function storageWrites(): FuzzCase[] {
  return [
    found(
      'storage.k8s.io/v1 StorageClass',
      'a policy that is empty',
      create('/apis/storage.k8s.io/v1/storageclasses', {
        metadata: { name: 's' },
        provisioner: 'a.b/c',
        reclaimPolicy: '',
      }),
    ),
    found(
      'storage.k8s.io/v1 CSIStorageCapacity',
      'an amount that is the number 0',
      create('/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities', {
        metadata: { name: 'c' },
        storageClassName: 's',
        maximumVolumeSize: 0,
      }),
    ),
    found(
      'storage.k8s.io/v1 VolumeAttributesClass',
      'a class without a driver, and one that is applied without finalizers',
      create('/apis/storage.k8s.io/v1/volumeattributesclasses', {
        metadata: { name: 'a' },
        parameters: { a: 'b' },
      }),
      {
        method: 'PATCH',
        path: '/apis/storage.k8s.io/v1/volumeattributesclasses/applied?dryRun=All&fieldManager=applier&force=true',
        type: APPLY,
        body: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'VolumeAttributesClass',
          metadata: { name: 'applied', finalizers: [] },
          driverName: 'd',
          parameters: { a: 'b' },
        },
      },
    ),
    found(
      'v1 PersistentVolumeClaim',
      'resources that stand twice, the second time as null',
      create(`${NAMESPACED}/persistentvolumeclaims`, {
        metadata: { name: 'c' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          [again('resources')]: null,
        },
      }),
    ),
    found(
      'v1 PersistentVolumeClaim',
      'a reference to data in an empty namespace',
      create(`${NAMESPACED}/persistentvolumeclaims`, {
        metadata: { name: 'c' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          dataSourceRef: { kind: 'Populator', name: 'x', apiGroup: 'acme.io', namespace: '' },
        },
      }),
    ),
  ]
}

/** Volumes in VolumeAttachments, with what only a PersistentVolume may have. */
function inlineVolumes(): FuzzCase {
  const csi = { driver: 'd', volumeHandle: 'h' }
  const attachment = (more: TreeObject): FuzzRequest =>
    create('/apis/storage.k8s.io/v1/volumeattachments', {
      metadata: { name: 'a' },
      spec: {
        attacher: 'a',
        nodeName: 'n',
        source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi, ...more } },
      },
    })
  return found(
    'storage.k8s.io/v1 VolumeAttachment',
    'inline volumes with what only a PersistentVolume may have',
    attachment({ volumeMode: 'Filesystem' }),
    attachment({ volumeMode: 'Block' }),
    attachment({ volumeMode: '' }),
    attachment({ storageClassName: 's' }),
    attachment({ storageClassName: '', volumeMode: null, volumeAttributesClassName: '' }),
    attachment({ volumeAttributesClassName: '-' }),
    attachment({ claimRef: {}, capacity: { storage: '1' }, persistentVolumeReclaimPolicy: 'Delete' }),
    attachment({
      csi: null,
      local: { path: '/p' },
      nodeAffinity: {},
      storageClassName: '-',
      volumeMode: 'x',
    }),
    attachment({ csi: null, hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }),
  )
}

/** Paths that are the root, in several spellings, of a volume whose content is to be deleted. */
function recycledRoots(): FuzzCase {
  const paths = ['/', '//', '/.', '/./', '/a/..', '/..', '/.../', '', '.', 'a/..', '/a/../../b/..', '/a']
  return found(
    'v1 PersistentVolume',
    'paths on the host that are recycled',
    ...paths.map((path) =>
      create('/api/v1/persistentvolumes', {
        metadata: { name: 'v' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          hostPath: { path },
          persistentVolumeReclaimPolicy: 'Recycle',
        },
      }),
    ),
  )
}
