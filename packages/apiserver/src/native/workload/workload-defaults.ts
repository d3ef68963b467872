import { isObject, objectOf, type JsonObject } from '../../schema/json.ts'
import { ensureObject, objectsIn, setDefault } from '../checks/absent.ts'
import { defaultPodTemplate } from '../pod-template/pod-defaults.ts'

/** What Kubernetes fills into a Deployment. */
export function defaultDeployment(deployment: JsonObject): void {
  const spec = ensureObject(deployment, 'spec')
  spec['replicas'] ??= 1
  const strategy = ensureObject(spec, 'strategy')
  setDefault(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    rolling['maxUnavailable'] ??= '25%'
    rolling['maxSurge'] ??= '25%'
  }
  spec['revisionHistoryLimit'] ??= 10
  spec['progressDeadlineSeconds'] ??= 600
  defaultPodTemplate(spec)
}

/** What Kubernetes fills into a ReplicaSet. */
export function defaultReplicaSet(replicaSet: JsonObject): void {
  const spec = ensureObject(replicaSet, 'spec')
  spec['replicas'] ??= 1
  defaultPodTemplate(spec)
}

/** What Kubernetes fills into a ReplicationController: its template says what it is called and what it chooses. */
export function defaultReplicationController(controller: JsonObject): void {
  const spec = ensureObject(controller, 'spec')
  spec['replicas'] ??= 1
  if (!isObject(spec['template'])) return
  defaultPodTemplate(spec)
  const { labels } = objectOf(spec['template']['metadata'])
  if (!isObject(labels)) return
  if (Object.keys(objectOf(spec['selector'])).length === 0) spec['selector'] = { ...labels }
  const metadata = ensureObject(controller, 'metadata')
  if (Object.keys(objectOf(metadata['labels'])).length === 0) metadata['labels'] = { ...labels }
}

/** The annotation that counts the templates of a DaemonSet. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

/** What Kubernetes fills into a DaemonSet. */
export function defaultDaemonSet(daemonSet: JsonObject): void {
  // How often the template changed is not for the writer to say, but counts as written.
  setDefault(ensureObject(ensureObject(daemonSet, 'metadata'), 'annotations'), TEMPLATE_GENERATION, '0')
  const spec = ensureObject(daemonSet, 'spec')
  const strategy = ensureObject(spec, 'updateStrategy')
  setDefault(strategy, 'type', 'RollingUpdate')
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensureObject(strategy, 'rollingUpdate')
    rolling['maxUnavailable'] ??= 1
    rolling['maxSurge'] ??= 0
  } else if (isObject(strategy['rollingUpdate'])) {
    // Numbers that mean nothing for another strategy are never absent.
    strategy['rollingUpdate']['maxUnavailable'] ??= 0
    strategy['rollingUpdate']['maxSurge'] ??= 0
  }
  spec['revisionHistoryLimit'] ??= 10
  defaultPodTemplate(spec)
}

/** What Kubernetes fills into a StatefulSet. */
export function defaultStatefulSet(statefulSet: JsonObject): void {
  const spec = ensureObject(statefulSet, 'spec')
  setDefault(spec, 'podManagementPolicy', 'OrderedReady')
  const strategy = ensureObject(spec, 'updateStrategy')
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate'
    ensureObject(strategy, 'rollingUpdate')
  }
  const { rollingUpdate } = strategy
  if (strategy['type'] === 'RollingUpdate' && isObject(rollingUpdate)) {
    rollingUpdate['partition'] ??= 0
  }
  const retention = ensureObject(spec, 'persistentVolumeClaimRetentionPolicy')
  setDefault(retention, 'whenDeleted', 'Retain')
  setDefault(retention, 'whenScaled', 'Retain')
  spec['replicas'] ??= 1
  spec['revisionHistoryLimit'] ??= 10
  for (const claim of objectsIn(spec['volumeClaimTemplates'])) {
    claim['kind'] = 'PersistentVolumeClaim'
    claim['apiVersion'] = 'v1'
    ensureObject(claim, 'spec')['volumeMode'] ??= 'Filesystem'
    setDefault(ensureObject(claim, 'status'), 'phase', 'Pending')
  }
  defaultPodTemplate(spec)
}

/** What Kubernetes fills into a Job. */
export function defaultJob(job: JsonObject): void {
  const spec = ensureObject(job, 'spec')
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1
  spec['parallelism'] ??= 1
  spec['backoffLimit'] ??= spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1
  const { labels } = objectOf(objectOf(spec['template'])['metadata'])
  const metadata = ensureObject(job, 'metadata')
  if (isObject(labels) && Object.keys(objectOf(metadata['labels'])).length === 0)
    metadata['labels'] = { ...labels }
  spec['completionMode'] ??= 'NonIndexed'
  spec['suspend'] ??= false
  setDefault(spec, 'podReplacementPolicy', spec['podFailurePolicy'] ? 'Failed' : 'TerminatingOrFailed')
  spec['manualSelector'] ??= false
  defaultJobSpec(spec)
}

/** What is filled in wherever the spec of a Job stands. */
function defaultJobSpec(spec: JsonObject): void {
  for (const rule of objectsIn(objectOf(spec['podFailurePolicy'])['rules'])) {
    for (const pattern of objectsIn(rule['onPodConditions'])) setDefault(pattern, 'status', 'True')
  }
  defaultPodTemplate(spec)
}

/** What Kubernetes fills into a CronJob. */
export function defaultCronJob(cronJob: JsonObject): void {
  const spec = ensureObject(cronJob, 'spec')
  setDefault(spec, 'concurrencyPolicy', 'Allow')
  spec['suspend'] ??= false
  spec['successfulJobsHistoryLimit'] ??= 3
  spec['failedJobsHistoryLimit'] ??= 1
  const template = ensureObject(spec, 'jobTemplate')
  ensureObject(template, 'metadata')
  defaultJobSpec(ensureObject(template, 'spec'))
}
