import { isJsonObject } from '@homeostat/api'
import type { WithoutEffect } from '@homeostat/apiserver'

type Fields = Readonly<Record<string, unknown>>

/** Kinds with a template of Pods, and where their specs have it. */
const POD_SPECS: readonly {
  readonly group: string
  readonly kind: string
  readonly path: readonly string[]
}[] = [
  { group: '', kind: 'Pod', path: ['spec'] },
  { group: '', kind: 'ReplicationController', path: ['spec', 'template', 'spec'] },
  { group: 'apps', kind: 'DaemonSet', path: ['spec', 'template', 'spec'] },
  { group: 'apps', kind: 'Deployment', path: ['spec', 'template', 'spec'] },
  { group: 'apps', kind: 'ReplicaSet', path: ['spec', 'template', 'spec'] },
  { group: 'apps', kind: 'StatefulSet', path: ['spec', 'template', 'spec'] },
  { group: 'batch', kind: 'CronJob', path: ['spec', 'jobTemplate', 'spec', 'template', 'spec'] },
  { group: 'batch', kind: 'Job', path: ['spec', 'template', 'spec'] },
]

/** Fields of a Pod that the nodes ignore, and whether a value requests more than the default. */
const POD_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  hostNetwork: Boolean,
  hostPID: Boolean,
  hostIPC: Boolean,
  hostUsers: (value) => value === false,
  shareProcessNamespace: Boolean,
  setHostnameAsFQDN: Boolean,
  dnsConfig: Boolean,
}

/** Fields of a Service that the network ignores, and whether a value requests more than the default. */
const SERVICE_FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  externalIPs: (value) => Array.isArray(value) && value.length > 0,
  externalTrafficPolicy: (value) => value === 'Local',
  internalTrafficPolicy: (value) => value === 'Local',
  trafficDistribution: Boolean,
}

const NETWORKING = 'networking.k8s.io'
const STORAGE = 'storage.k8s.io'
const DEVICES = 'resource.k8s.io'
const NO_INGRESS = 'this cluster has no Ingress controller'
const NO_DRIVERS = 'this cluster has no CSI drivers: the volumes of the class standard are folders'
const NO_DEVICES = 'this cluster does not allocate devices: a Pod that claims one stays Pending'

/** The part of an object at a path; without fields where there is none. */
function partAt(object: Fields, path: readonly string[]): Fields {
  return path.reduce<Fields>((part, name) => {
    const inner = part[name]
    return isJsonObject(inner) ? inner : {}
  }, object)
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Whether a part of an object requests a feature that the cluster does not have. */
function hasIgnoredField(part: Fields, ignored: typeof POD_FIELDS): boolean {
  return Object.entries(ignored).some(([name, isRequested]) => isRequested(part[name]))
}

/** Whether a container of a Pod requests that mounts are shared between its volumes and the node. */
function propagatesMounts({ containers, initContainers }: Fields): boolean {
  return [...listOf(containers), ...listOf(initContainers)].some(({ volumeMounts }) =>
    listOf(volumeMounts).some(({ mountPropagation = 'None' }) => mountPropagation !== 'None'),
  )
}

/** The objects on which controllers and nodes of Kubernetes act, and on which nothing in this cluster acts. */
export const CLUSTER_GAPS: readonly WithoutEffect[] = [
  {
    group: '',
    kind: 'Service',
    reason: 'this cluster has no load balancer: EXTERNAL-IP stays pending, the ClusterIP and NodePorts work',
    concerns: (object) => partAt(object, ['spec'])['type'] === 'LoadBalancer',
  },
  {
    group: '',
    kind: 'Service',
    reason: `the network of this cluster ignores ${Object.keys(SERVICE_FIELDS).join(', ')}`,
    concerns: (object) => hasIgnoredField(partAt(object, ['spec']), SERVICE_FIELDS),
  },
  {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    reason:
      'the autoscaler of this cluster does not read metrics: only minReplicas and maxReplicas have an effect',
  },
  { group: NETWORKING, kind: 'Ingress', reason: NO_INGRESS },
  { group: NETWORKING, kind: 'IngressClass', reason: NO_INGRESS },
  {
    group: NETWORKING,
    kind: 'NetworkPolicy',
    reason: 'this cluster does not filter connections between Pods',
  },
  {
    group: 'node.k8s.io',
    kind: 'RuntimeClass',
    reason: 'this cluster runs Pods of all handlers alike',
  },
  { group: DEVICES, kind: 'DeviceClass', reason: NO_DEVICES },
  { group: DEVICES, kind: 'ResourceClaim', reason: NO_DEVICES },
  { group: DEVICES, kind: 'ResourceClaimTemplate', reason: NO_DEVICES },
  { group: DEVICES, kind: 'ResourceSlice', reason: NO_DEVICES },
  {
    group: 'scheduling.k8s.io',
    kind: 'PriorityClass',
    reason: 'Pods get the priority, but this cluster evicts no others for them',
    concerns: ({ preemptionPolicy }) => preemptionPolicy !== 'Never',
  },
  { group: STORAGE, kind: 'CSIDriver', reason: NO_DRIVERS },
  { group: STORAGE, kind: 'CSINode', reason: NO_DRIVERS },
  { group: STORAGE, kind: 'CSIStorageCapacity', reason: NO_DRIVERS },
  { group: STORAGE, kind: 'VolumeAttachment', reason: NO_DRIVERS },
  { group: STORAGE, kind: 'VolumeAttributesClass', reason: NO_DRIVERS },
  ...POD_SPECS.flatMap(({ group, kind, path }): WithoutEffect[] => [
    {
      group,
      kind,
      reason: `the nodes of this cluster ignore ${Object.keys(POD_FIELDS).join(', ')}`,
      concerns: (object) => hasIgnoredField(partAt(object, path), POD_FIELDS),
    },
    {
      group,
      kind,
      reason: 'the nodes of this cluster ignore the mountPropagation of volumeMounts',
      concerns: (object) => propagatesMounts(partAt(object, path)),
    },
  ]),
]
