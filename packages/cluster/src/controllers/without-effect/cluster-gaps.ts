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
const POD_FIELDS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'dnsConfig']

const NETWORKING = 'networking.k8s.io'
const STORAGE = 'storage.k8s.io'
const DEVICES = 'resource.k8s.io'
const NO_INGRESS = 'this cluster has no Ingress controller'
const NO_DRIVERS = 'this cluster has no CSI drivers: the volumes of the class standard are folders'
const NO_DEVICES = 'this cluster does not allocate devices: a Pod that claims one stays Pending'

/** Whether a Pod requests a feature that the nodes do not have. */
function hasIgnoredField(object: Fields, path: readonly string[]): boolean {
  const spec = path.reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], object)
  return POD_FIELDS.some((name) => Boolean((spec as Fields | undefined)?.[name]))
}

/** The objects on which controllers and nodes of Kubernetes act, and on which nothing in this cluster acts. */
export const CLUSTER_GAPS: readonly WithoutEffect[] = [
  {
    group: '',
    kind: 'Service',
    reason: 'this cluster has no load balancer: EXTERNAL-IP stays pending, the ClusterIP and NodePorts work',
    concerns: ({ spec }) => (spec as { type?: string } | undefined)?.type === 'LoadBalancer',
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
  ...POD_SPECS.map(({ group, kind, path }) => ({
    group,
    kind,
    reason: `the nodes of this cluster ignore ${POD_FIELDS.join(', ')}`,
    concerns: (object: Fields) => hasIgnoredField(object, path),
  })),
]
