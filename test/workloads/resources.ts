/** A kind that scenarios speak of. */
export interface WorkloadResource {
  readonly kind: string
  /** The beginning of its paths. */
  readonly base: string
  readonly namespaced: boolean
}

function resource(kind: string, base: string, namespaced = true): WorkloadResource {
  return { kind, base, namespaced }
}

/** The kinds that scenarios speak of, by the names in their paths. */
export const RESOURCES = {
  deployments: resource('Deployment', '/apis/apps/v1'),
  replicasets: resource('ReplicaSet', '/apis/apps/v1'),
  statefulsets: resource('StatefulSet', '/apis/apps/v1'),
  daemonsets: resource('DaemonSet', '/apis/apps/v1'),
  controllerrevisions: resource('ControllerRevision', '/apis/apps/v1'),
  jobs: resource('Job', '/apis/batch/v1'),
  cronjobs: resource('CronJob', '/apis/batch/v1'),
  pods: resource('Pod', '/api/v1'),
  persistentvolumeclaims: resource('PersistentVolumeClaim', '/api/v1'),
  services: resource('Service', '/api/v1'),
  endpoints: resource('Endpoints', '/api/v1'),
  endpointslices: resource('EndpointSlice', '/apis/discovery.k8s.io/v1'),
  configmaps: resource('ConfigMap', '/api/v1'),
  serviceaccounts: resource('ServiceAccount', '/api/v1'),
  namespaces: resource('Namespace', '/api/v1', false),
  persistentvolumes: resource('PersistentVolume', '/api/v1', false),
  storageclasses: resource('StorageClass', '/apis/storage.k8s.io/v1', false),
} as const satisfies Record<string, WorkloadResource>

export type ResourceName = keyof typeof RESOURCES

/** The path of a resource's objects, with `{ns}` for the namespace. */
export function pathOf(name: ResourceName): string {
  const { base, namespaced } = RESOURCES[name]
  return namespaced ? `${base}/namespaces/{ns}/${name}` : `${base}/${name}`
}
