import { isObject, objectOf, type JsonObject } from '../json.ts'
import { ensureObject, objectsIn, setDefault } from './absent.ts'
import { defaultPodTemplate } from './pod-defaults.ts'

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
  defaultPodTemplate(deployment)
}

/** What Kubernetes fills into a ReplicaSet. */
export function defaultReplicaSet(replicaSet: JsonObject): void {
  ensureObject(replicaSet, 'spec')['replicas'] ??= 1
  defaultPodTemplate(replicaSet)
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
  setDefault(spec, 'completionMode', 'NonIndexed')
  spec['suspend'] ??= false
  setDefault(spec, 'podReplacementPolicy', spec['podFailurePolicy'] ? 'Failed' : 'TerminatingOrFailed')
  spec['manualSelector'] ??= false
  for (const rule of objectsIn(objectOf(spec['podFailurePolicy'])['rules'])) {
    for (const pattern of objectsIn(rule['onPodConditions'])) setDefault(pattern, 'status', 'True')
  }
  defaultPodTemplate(job)
}
