import type { AnyKind } from '@homeostat/api'
import type { Controller } from 'homeostat'
import { cronJobController } from './cron-job/cron-job-controller.ts'
import { deploymentController } from './deployment/deployment-controller.ts'
import { jobController } from './job/job-controller.ts'
import { jobPodTracking } from './job/job-pod-tracking.ts'
import { replicaSetController } from './replica-set/replica-set-controller.ts'
import { statefulSetController } from './stateful-set/stateful-set-controller.ts'

/** The controllers that each kind of workload needs to make its Pods. */
const CONTROLLERS: ReadonlyMap<string, () => readonly Controller[]> = new Map([
  ['apps/deployments', () => [deploymentController, replicaSetController]],
  ['apps/replicasets', () => [replicaSetController]],
  ['apps/statefulsets', () => [statefulSetController]],
  ['batch/jobs', () => [jobController(), jobPodTracking]],
  ['batch/cronjobs', () => [cronJobController, jobController(), jobPodTracking]],
])

/** The controllers that workloads of these kinds need: none for an operator that makes none. */
export function workloadControllers(kinds: readonly AnyKind[]): Controller[] {
  const needed = new Map<string, Controller>()
  for (const { group, plural } of kinds) {
    for (const controller of CONTROLLERS.get(`${group}/${plural}`)?.() ?? []) {
      if (!needed.has(controller.name)) needed.set(controller.name, controller)
    }
  }
  return [...needed.values()]
}
