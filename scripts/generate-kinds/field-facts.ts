import type { OpenApiSchema } from './kubernetes-source.ts'

/**
 * The values that a server fills in for absent fields, by definition and field: OpenAPI does not describe them. The
 * values that depend on others are not here. `test/native-facts.both.test.ts` asks the servers.
 */
export const DEFAULTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'apps.v1.DaemonSetSpec': { revisionHistoryLimit: 10 },
  'apps.v1.DaemonSetUpdateStrategy': { type: 'RollingUpdate' },
  'apps.v1.DeploymentSpec': { progressDeadlineSeconds: 600, replicas: 1, revisionHistoryLimit: 10 },
  'apps.v1.DeploymentStrategy': { type: 'RollingUpdate' },
  'apps.v1.ReplicaSetSpec': { replicas: 1 },
  'apps.v1.RollingUpdateDaemonSet': { maxSurge: 0, maxUnavailable: 1 },
  'apps.v1.RollingUpdateDeployment': { maxSurge: '25%', maxUnavailable: '25%' },
  'apps.v1.RollingUpdateStatefulSetStrategy': { partition: 0 },
  'apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy': { whenDeleted: 'Retain', whenScaled: 'Retain' },
  'apps.v1.StatefulSetSpec': { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 },
  'apps.v1.StatefulSetUpdateStrategy': { type: 'RollingUpdate' },
  'autoscaling.v2.HorizontalPodAutoscalerSpec': { minReplicas: 1 },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    failedJobsHistoryLimit: 1,
    successfulJobsHistoryLimit: 3,
    suspend: false,
  },
  'batch.v1.JobSpec': {
    backoffLimit: 6,
    completionMode: 'NonIndexed',
    completions: 1,
    parallelism: 1,
    podReplacementPolicy: 'TerminatingOrFailed',
    suspend: false,
  },
  'core.v1.ConfigMapVolumeSource': { defaultMode: 420 },
  'core.v1.Container': { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  'core.v1.ContainerPort': { protocol: 'TCP' },
  'core.v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core.v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'core.v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeSpec': { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  'core.v1.PodSpec': {
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    terminationGracePeriodSeconds: 30,
  },
  'core.v1.Probe': { failureThreshold: 3, periodSeconds: 10, successThreshold: 1, timeoutSeconds: 1 },
  'core.v1.ProjectedVolumeSource': { defaultMode: 420 },
  'core.v1.Secret': { type: 'Opaque' },
  'core.v1.SecretVolumeSource': { defaultMode: 420 },
  'core.v1.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
  'core.v1.ServicePort': { protocol: 'TCP' },
  'core.v1.ServiceSpec': {
    internalTrafficPolicy: 'Cluster',
    ipFamilyPolicy: 'SingleStack',
    sessionAffinity: 'None',
    type: 'ClusterIP',
  },
  'networking.v1.NetworkPolicyPort': { protocol: 'TCP' },
  'scheduling.v1.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },
  'storage.v1.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
}

/** Fields that no client can change once the object exists, by definition. */
export const IMMUTABLE: Readonly<Record<string, readonly string[]>> = {
  'apps.v1.DaemonSetSpec': ['selector'],
  'apps.v1.DeploymentSpec': ['selector'],
  'apps.v1.ReplicaSetSpec': ['selector'],
  'apps.v1.StatefulSetSpec': ['podManagementPolicy', 'selector', 'serviceName', 'volumeClaimTemplates'],
  'batch.v1.JobSpec': ['completionMode', 'selector', 'template'],
  'core.v1.PersistentVolumeClaimSpec': ['accessModes', 'selector', 'storageClassName', 'volumeMode'],
  'core.v1.Secret': ['type'],
  'networking.v1.IngressClassSpec': ['controller'],
  'rbac.v1.ClusterRoleBinding': ['roleRef'],
  'rbac.v1.RoleBinding': ['roleRef'],
  'scheduling.v1.PriorityClass': ['preemptionPolicy', 'value'],
  'storage.v1.StorageClass': ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
}

/** Where the pages of the API reference are, for a version such as `v1.36.3`. */
export class ReferencePages {
  readonly #address: string
  readonly #groups: ReadonlyMap<string, string>

  /** `groups` are the names of API groups by how definitions call them: `rbac` is `rbac.authorization.k8s.io`. */
  constructor(version: string, groups: ReadonlyMap<string, string>) {
    const minor = version.split('.').slice(0, 2).join('.')
    this.#address = `https://kubernetes.io/docs/reference/generated/kubernetes-api/${minor}/`
    this.#groups = groups
  }

  /** A link to the section of a definition. */
  linkTo(definition: string): string {
    const [name, version, group] = definition.split('.').reverse() as [string, string, string]
    const anchor = `${name}-${version}-${(this.#groups.get(group) ?? group).replaceAll('.', '-')}`
    return `[API](${this.#address}#${anchor.toLowerCase()})`
  }
}

/** The facts about a field besides its type, in few words. */
export function fieldFacts(
  definition: string,
  field: string,
  schema: OpenApiSchema,
  required: boolean,
): string[] {
  const name = definition.split('.').slice(-3).join('.')
  const stated = DEFAULTS[name]?.[field] ?? (isZero(schema.default) ? undefined : schema.default)
  return [
    ...(required ? ['Required.'] : []),
    ...(stated === undefined
      ? []
      : [`Default: \`${typeof stated === 'string' ? stated : JSON.stringify(stated)}\`.`]),
    ...(IMMUTABLE[name]?.includes(field) ? ['Immutable.'] : []),
    ...listFacts(schema),
  ]
}

function listFacts(schema: OpenApiSchema): string[] {
  const keys = schema['x-kubernetes-list-map-keys'] as readonly string[] | undefined
  if (keys) return [`A list by ${keys.map((key) => `\`${key}\``).join(' and ')}.`]
  if (schema['x-kubernetes-list-type'] === 'set') return ['A set.']
  return schema['x-kubernetes-list-type'] === 'atomic' ? ['An atomic list.'] : []
}

/** The zero values of Go stand in OpenAPI for fields that are always written: no author chose them as defaults. */
function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value
}
