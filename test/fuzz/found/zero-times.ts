import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { TreeObject } from '../json-tree.ts'
import { found, MERGE, NAMESPACED, store, template } from './found-case.ts'

/** The time that Go writes as null: in a field that is a pointer it is there nevertheless, and has an owner. */
const ZERO = '0001-01-01T00:00:00Z'

/** Objects whose times are the first second of the year 1. */
export function zeroTimes(): FuzzCase[] {
  const job = { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } }
  const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } }
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
  return [
    ofStatus('v1 Pod', `${NAMESPACED}/pods`, { spec: template.spec }, { startTime: ZERO }),
    ofStatus(
      'v1 PersistentVolume',
      '/api/v1/persistentvolumes',
      { spec: volume },
      { lastPhaseTransitionTime: ZERO },
      { phase: 'Bound', lastPhaseTransitionTime: ZERO },
    ),
    ofStatus(
      'batch/v1 CronJob',
      '/apis/batch/v1/namespaces/{ns}/cronjobs',
      { spec: { schedule: '0 0 1 1 *', jobTemplate: job } },
      { lastScheduleTime: ZERO },
      { lastScheduleTime: ZERO, lastSuccessfulTime: ZERO },
    ),
    ofStatus(
      'batch/v1 Job',
      '/apis/batch/v1/namespaces/{ns}/jobs',
      { spec: { ...job.spec, suspend: true } },
      { startTime: ZERO },
      { completionTime: ZERO },
    ),
    ofStatus(
      'autoscaling/v2 HorizontalPodAutoscaler',
      '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
      { spec: { scaleTargetRef, maxReplicas: 2 } },
      { lastScaleTime: ZERO },
    ),
    leases(),
  ]
}

/** Writes of the status of a new object, and what is stored then. */
function ofStatus(kind: string, path: string, object: TreeObject, ...statuses: TreeObject[]): FuzzCase {
  const at = `${path}/zero-times`
  return found(
    kind,
    'times of the year 1 in its status',
    store(path, { metadata: { name: 'zero-times' }, ...object }),
    ...statuses.flatMap((status): FuzzRequest[] => [
      { method: 'PATCH', path: `${at}/status`, type: MERGE, body: { status } },
      { method: 'GET', path: at },
    ]),
  )
}

function leases(): FuzzCase {
  const path = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases'
  const at = `${path}/zero-times`
  const acquireTime = '0001-01-01T00:00:00.000000Z'
  return found(
    'coordination.k8s.io/v1 Lease',
    'times of the year 1',
    store(path, { metadata: { name: 'zero-times' }, spec: { acquireTime } }),
    { method: 'GET', path: at },
    { method: 'PATCH', path: at, type: MERGE, body: { spec: { renewTime: acquireTime } } },
    { method: 'PATCH', path: at, type: MERGE, body: { spec: { acquireTime: null } } },
  )
}
