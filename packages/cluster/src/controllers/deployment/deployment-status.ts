import { timestamp } from '@homeostat/api'
import type { AppsV1, Deployment, ReplicaSet } from '@homeostat/api/kinds'
import { deadlineOf, progress, withCondition, without, type Condition } from './deployment-conditions.ts'
import { desiredReplicas, maxUnavailable, totalSize } from './rollout-limits.ts'
import { nonzeroCounts } from '../objects/nonzero-counts.ts'

/** The state from which the status is computed. */
export interface StatusInput {
  readonly deployment: Deployment
  readonly current: ReplicaSet | undefined
  readonly old: readonly ReplicaSet[]
  /** Whether the progress of the rollout is checked: not while the Deployment is paused, scaled or deleted. */
  readonly checkProgress: boolean
  readonly now: number
}

/** The status of a Deployment, from the statuses of its ReplicaSets. */
export function deploymentStatus(input: StatusInput): AppsV1.DeploymentStatus {
  const { deployment, current, old, now } = input
  const all = current ? [...old, current] : [...old]
  const sum = (count: (replicaSet: ReplicaSet) => number | undefined): number =>
    all.reduce((total, replicaSet) => total + (count(replicaSet) ?? 0), 0)
  const available = sum(({ status }) => status.availableReplicas)
  const { collisionCount } = deployment.status
  const status: AppsV1.DeploymentStatus = {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...nonzeroCounts({
      replicas: sum(({ status }) => status.replicas),
      updatedReplicas: current?.status.replicas ?? 0,
      readyReplicas: sum(({ status }) => status.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, totalSize(all) - available),
    }),
    ...terminating(all),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  }
  let conditions: Condition[] = (deployment.status.conditions ?? []).map((condition) => ({ ...condition }))
  const enough = available >= desiredReplicas(deployment) - maxUnavailable(deployment)
  conditions = withCondition(conditions, {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: enough
      ? 'Deployment has minimum availability.'
      : 'Deployment does not have minimum availability.',
    lastUpdateTime: timestamp(now),
    lastTransitionTime: timestamp(now),
  })
  if (!input.checkProgress) return { ...status, conditions }
  conditions = withProgress(conditions, status, input)
  const failure = replicaFailure(all, current)
  conditions = failure ? withCondition(conditions, failure) : without(conditions, 'ReplicaFailure')
  return { ...status, conditions }
}

/** Whether all replicas exist, are up to date and available. */
export function isComplete(
  deployment: Deployment,
  status: Deployment['status'] | AppsV1.DeploymentStatus,
): boolean {
  const desired = desiredReplicas(deployment)
  return (
    (status.updatedReplicas ?? 0) === desired &&
    (status.replicas ?? 0) === desired &&
    (status.availableReplicas ?? 0) === desired &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  )
}

/**
 * After how many milliseconds the rollout exceeds its deadline, if it makes no progress; `undefined` where it
 * cannot.
 */
export function deadlineIn(
  deployment: Deployment,
  status: AppsV1.DeploymentStatus,
  now: number,
): number | undefined {
  const deadline = deadlineOf(deployment)
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing')
  if (deadline === undefined || !progressing || deployment.spec.paused) return undefined
  if (isComplete(deployment, status) || DECIDED.has(progressing.reason ?? '')) return undefined
  const left = Date.parse(progressing.lastUpdateTime ?? '') + deadline * 1_000 - now
  // A second more: times in the API are whole seconds.
  return Math.max(left, 0) + 1_000
}

const DECIDED = new Set(['ProgressDeadlineExceeded', 'NewReplicaSetAvailable'])

/** Reports the state of the rollout: complete, progressing, or past its deadline. */
function withProgress(before: Condition[], status: AppsV1.DeploymentStatus, input: StatusInput): Condition[] {
  const { deployment, current, now } = input
  const deadline = deadlineOf(deployment)
  if (deadline === undefined) return without(before, 'Progressing')
  const name = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`
  const progressing = before.find(({ type }) => type === 'Progressing')
  const settled =
    status.replicas === status.updatedReplicas && progressing?.reason === 'NewReplicaSetAvailable'
  if (settled) return before
  if (isComplete(deployment, status)) {
    const done = progress('True', 'NewReplicaSetAvailable', `${name} has successfully progressed.`, now)
    return withCondition(before, done)
  }
  if (hasProgressed(deployment.status, status)) {
    const moving = progress('True', 'ReplicaSetUpdated', `${name} is progressing.`, now)
    // `lastUpdateTime` changes with every progress. The deadline counts from it.
    const since = progressing?.status === 'True' ? { lastTransitionTime: progressing.lastTransitionTime } : {}
    return [...without(before, 'Progressing'), { ...moving, ...since }]
  }
  if (isLate(progressing, deadline, now)) {
    return withCondition(
      before,
      progress('False', 'ProgressDeadlineExceeded', `${name} has timed out progressing.`, now),
    )
  }
  return before
}

function hasProgressed(before: Deployment['status'], after: AppsV1.DeploymentStatus): boolean {
  const old = (status: Deployment['status'] | AppsV1.DeploymentStatus): number =>
    (status.replicas ?? 0) - (status.updatedReplicas ?? 0)
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  )
}

function isLate(progressing: Condition | undefined, deadline: number, now: number): boolean {
  if (!progressing || progressing.reason === 'NewReplicaSetAvailable') return false
  if (progressing.reason === 'ProgressDeadlineExceeded') return true
  return Date.parse(progressing.lastUpdateTime ?? '') + deadline * 1_000 < now
}

/** The number of terminating Pods; undefined where a ReplicaSet does not have it. */
function terminating(all: readonly ReplicaSet[]): { terminatingReplicas?: number } {
  const synced = all.filter(({ status }) => status.observedGeneration !== undefined)
  if (synced.some(({ status }) => status.terminatingReplicas === undefined)) return {}
  const sum = all.reduce((total, { status }) => total + (status.terminatingReplicas ?? 0), 0)
  return { terminatingReplicas: sum }
}

/** The failure of a ReplicaSet to create Pods: that of the current one first. */
function replicaFailure(all: readonly ReplicaSet[], current: ReplicaSet | undefined): Condition | undefined {
  for (const replicaSet of current ? [current, ...all] : all) {
    const failure = replicaSet.status.conditions?.find(({ type }) => type === 'ReplicaFailure')
    if (failure) return { ...failure, lastUpdateTime: failure.lastTransitionTime }
  }
  return undefined
}
