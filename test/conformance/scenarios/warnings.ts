import { scenario, topic, type RequestOptions, type Scenario, type Step } from '../scenario.ts'
import { apply, create, get, merge, remove, replace } from '../steps.ts'

type Fields = Readonly<Record<string, unknown>>

/** Shows that the object was accepted: only the warnings are compared besides. */
const done: RequestOptions = { show: () => 'accepted' }
const dry = (collection: string, body: object): Step => create(`${collection}?dryRun=All`, body, done)

const volumes = '/api/v1/persistentvolumes'
const volume = (source: Fields, spec: Fields = {}, metadata: Fields = {}): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: '{ns}', ...metadata },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source, ...spec },
})
const hostPath = { hostPath: { path: '/x' } }
const nodeTerms = {
  nodeSelectorTerms: [
    {
      matchExpressions: [
        { key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['x'] },
        { key: 'a', operator: 'Exists' },
        { key: 'beta.kubernetes.io/os', operator: 'Exists' },
      ],
      matchFields: [{ key: 'metadata.name', operator: 'In', values: ['x'] }],
    },
    { matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] },
  ],
}
const needsNode = {
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
  },
}
const mountOptions = { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } }

/** The sources of volumes. Kubernetes no longer has code for most of them. */
const sources: Readonly<Record<string, Fields>> = {
  hostPath,
  cephfs: { cephfs: { monitors: ['a'] } },
  glusterfs: { glusterfs: { endpoints: 'a', path: 'b' } },
  scaleIO: { scaleIO: { gateway: 'a', system: 'b', secretRef: { name: 'x' }, volumeName: 'v' } },
  storageos: { storageos: { volumeName: 'a' } },
  quobyte: { quobyte: { registry: 'a:1', volume: 'b' } },
  flocker: { flocker: { datasetName: 'a' } },
  photonPersistentDisk: { photonPersistentDisk: { pdID: 'a' } },
  rbd: { rbd: { monitors: ['a'], image: 'b' } },
  gcePersistentDisk: { gcePersistentDisk: { pdName: 'x' } },
  awsElasticBlockStore: { awsElasticBlockStore: { volumeID: 'x' } },
  azureFile: { azureFile: { shareName: 'x', secretName: 'y' } },
  azureDisk: { azureDisk: { diskName: 'a', diskURI: 'https://a.blob.core.windows.net/c/d.vhd' } },
  cinder: { cinder: { volumeID: 'a' } },
  vsphereVolume: { vsphereVolume: { volumePath: 'a' } },
  flexVolume: { flexVolume: { driver: 'a/b' } },
  nfs: { nfs: { server: 'a', path: '/b' } },
  local: { local: { path: '/x' }, ...needsNode },
  portworxVolume: { portworxVolume: { volumeID: 'x' } },
  iscsi: { iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } },
  fc: { fc: { targetWWNs: ['a'], lun: 0 } },
  csi: { csi: { driver: 'a.b', volumeHandle: 'h' } },
}

const ofVolumes: readonly Scenario[] = [
  ...Object.entries(sources).map(([name, source]) =>
    scenario(
      'B native kinds',
      `of a PersistentVolume with ${name}, without and with mount options in an annotation`,
      dry(volumes, volume(source)),
      dry(volumes, volume(source, {}, mountOptions)),
    ),
  ),
  scenario(
    'B native kinds',
    'of a PersistentVolume that is recycled',
    dry(volumes, volume(hostPath, { persistentVolumeReclaimPolicy: 'Recycle' })),
  ),
  scenario(
    'B native kinds',
    'of a PersistentVolume with a class in an annotation',
    dry(volumes, volume(hostPath, {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } })),
  ),
  scenario(
    'B native kinds',
    'of a PersistentVolume with old labels of nodes',
    dry(volumes, volume(hostPath, { nodeAffinity: { required: nodeTerms } })),
  ),
]

const topologies = (...keys: readonly string[]): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: '{ns}' },
  provisioner: 'a.b/c',
  allowedTopologies: [{ matchLabelExpressions: keys.map((key) => ({ key, values: ['x'] })) }],
})
const event = (metadata: Fields, involvedObject: Fields): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'a', ...metadata },
  involvedObject,
})
const capacity = (nodeTopology: Fields): object => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIStorageCapacity',
  metadata: { name: 'a' },
  storageClassName: 'a',
  nodeTopology,
})
const policy = (...cidrs: readonly string[]): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'a' },
  spec: {
    podSelector: {},
    ingress: [{ from: cidrs.map((cidr) => ({ ipBlock: { cidr, except: ['2001:DB8:1::/48'] } })) }],
    egress: [{ to: cidrs.map((cidr) => ({ ipBlock: { cidr } })) }],
  },
})
const node = (spec: Fields): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: '{ns}' },
  spec: { ...spec, taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
})
const runtimeClasses = '/apis/node.k8s.io/v1/runtimeclasses'
const runtime = (scheduling: Fields): object => ({
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: '{ns}' },
  handler: 'h',
  scheduling,
})
const capacities = '/apis/storage.k8s.io/v1/~/csistoragecapacities'
const policies = '/apis/networking.k8s.io/v1/~/networkpolicies'
const endpoints = '/api/v1/~/endpoints'
const balanced = (spec: Fields): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'a' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }], ...spec },
})

const ofOthers: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'of a StorageClass with old labels of nodes',
    dry(
      '/apis/storage.k8s.io/v1/storageclasses',
      topologies('beta.kubernetes.io/os', 'a', 'node-role.kubernetes.io/master'),
    ),
  ),
  scenario(
    'B native kinds',
    'of a StorageClass with empty terms',
    dry('/apis/storage.k8s.io/v1/storageclasses', { ...topologies('a'), allowedTopologies: [{}] }),
    dry('/apis/storage.k8s.io/v1/storageclasses', { ...topologies('a'), allowedTopologies: [{}, {}] }),
  ),
  scenario(
    'B native kinds',
    'of an Event with wrong metadata, and with another namespace',
    dry('/api/v1/~/events', event({ labels: { a: 'b c' } }, { namespace: '{ns}' })),
    dry('/api/v1/~/events', event({ labels: { a: 'b c' } }, { namespace: 'other' })),
    dry('/api/v1/~/events', event({ name: 'A_B' }, { namespace: '{ns}' })),
    dry('/api/v1/~/events', event({ name: 'a/b' }, { namespace: '{ns}' })),
    dry('/api/v1/~/events', event({ name: '' }, { namespace: '{ns}' })),
  ),
  scenario(
    'B native kinds',
    'of a CSIStorageCapacity with old labels of nodes',
    create(
      capacities,
      capacity({
        matchLabels: { 'beta.kubernetes.io/os': 'x', a: 'b' },
        matchExpressions: [
          { key: 'beta.kubernetes.io/arch', operator: 'Exists' },
          { key: 'a', operator: 'Exists' },
        ],
      }),
      done,
    ),
    merge(`${capacities}/a`, { capacity: '1Gi' }, done),
  ),
  scenario(
    'B native kinds',
    'of a RuntimeClass with an old label of nodes',
    dry(runtimeClasses, runtime({ nodeSelector: { 'beta.kubernetes.io/os': 'x', a: 'b' } })),
  ),
  scenario(
    'B native kinds',
    'of a RuntimeClass with the same toleration twice',
    dry(runtimeClasses, runtime({ tolerations: [{ key: 'a' }, { key: 'a', tolerationSeconds: 5 }] })),
    dry(
      runtimeClasses,
      runtime({
        tolerations: [
          { key: 'a', operator: 'Exists', effect: 'NoExecute' },
          { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
        ],
      }),
    ),
  ),
  scenario(
    'B native kinds',
    'of a Node with an external id and another form of its network',
    dry('/api/v1/nodes', node({ externalID: 'x' })),
    dry('/api/v1/nodes', node({ podCIDR: '2001:DB8::/64', podCIDRs: ['2001:DB8::/64'] })),
  ),
  scenario(
    'B native kinds',
    'of a Node whose external id changes',
    create('/api/v1/nodes', node({ externalID: 'x' }), done),
    merge('/api/v1/nodes/{ns}', { spec: { externalID: 'y' } }, done),
    merge('/api/v1/nodes/{ns}', { spec: { externalID: null, taints: [{ key: 'a b', effect: 'x' }] } }, done),
    merge('/api/v1/nodes/{ns}', { metadata: { labels: { a: 'b' } } }, done),
    remove('/api/v1/nodes/{ns}', undefined, done),
  ),
  scenario(
    'B native kinds',
    'of a NetworkPolicy with another form of a network',
    create(policies, policy('2001:DB8::/32', '2001:0db8::/32'), done),
    merge(`${policies}/a`, { metadata: { labels: { a: 'b' } } }, done),
    replace(`${policies}/a`, policy('2001:db8::/32'), done),
  ),
  scenario(
    'B native kinds',
    'of Endpoints with another form of an address',
    create(
      endpoints,
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'a' },
        subsets: [
          {
            addresses: [{ ip: '2001:DB8::1' }],
            notReadyAddresses: [{ ip: '2001:0db8::1' }],
            ports: [{ port: 1 }],
          },
        ],
      },
      done,
    ),
    merge(`${endpoints}/a`, { metadata: { labels: { a: 'b' } } }, done),
  ),
  scenario(
    'B native kinds',
    'of a Service with other forms of a network and an address',
    dry(
      '/api/v1/~/services',
      balanced({ loadBalancerIP: '2001:DB8::1', loadBalancerSourceRanges: ['2001:DB8::/32', '10.0.0.0/8'] }),
    ),
  ),
]

const spec = {
  replicas: 0,
  template: {
    metadata: { labels: { a: 'b' } },
    spec: {
      nodeSelector: { 'beta.kubernetes.io/os': 'x' },
      containers: [{ name: 'c', image: 'i' }],
    },
  },
}
const selector = { matchLabels: { a: 'b' } }
const scaled: readonly (readonly [apiVersion: string, kind: string, path: string, selector: object])[] = [
  ['apps/v1', 'Deployment', '/apis/apps/v1/~/deployments', selector],
  ['apps/v1', 'ReplicaSet', '/apis/apps/v1/~/replicasets', selector],
  ['apps/v1', 'StatefulSet', '/apis/apps/v1/~/statefulsets', selector],
  ['v1', 'ReplicationController', '/api/v1/~/replicationcontrollers', { a: 'b' }],
]

const ofScales: readonly Scenario[] = scaled.map(([apiVersion, kind, path, labels]) => {
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: '{ns}' } }
  return scenario(
    'B native kinds',
    `of the scale of a ${kind}, from none to some and back`,
    create(path, { apiVersion, kind, metadata: { name: 'a' }, spec: { ...spec, selector: labels } }, done),
    get(`${path}/a/scale`),
    merge(`${path}/a/scale`, { spec: { replicas: 3 } }),
    replace(`${path}/a/scale`, { ...scale, spec: { replicas: 2 } }),
    merge(`${path}/a/scale`, { spec: { replicas: null } }),
    apply(`${path}/a/scale?force=true`, { ...scale, spec: { replicas: 1 } }),
    apply(`${path}/a/scale?force=true`, { ...scale, spec: { replicas: 0 } }),
    get(`${path}/a/scale`),
  )
})

/** The server's warnings about objects that it accepts. */
export const warnings = topic('warnings', [...ofVolumes, ...ofOthers, ...ofScales])
