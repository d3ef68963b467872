import type { AppsV1, Deployment } from '@homeostat/api/kinds'
import { deadlineOf, progress, withCondition, type Condition } from './deployment-conditions.ts'

/** A change of a rollout that its condition shows at once, before Pods are counted. */
export type Milestone =
  | { readonly type: 'created' | 'found'; readonly replicaSet: string }
  | { readonly type: 'failed'; readonly replicaSet: string; readonly why: string }
  | { readonly type: 'paused' | 'resumed' }

/** The status with a milestone; unchanged where it already has it, or the Deployment has no progress deadline. */
export function withMilestone(
  deployment: Deployment,
  milestone: Milestone,
  now: number,
): AppsV1.DeploymentStatus {
  const { conditions: before, ...rest } = deployment.status
  const conditions = before?.map((condition) => ({ ...condition }))
  if (deadlineOf(deployment) === undefined) return conditions ? { ...rest, conditions } : rest
  return { ...rest, conditions: withCondition(conditions ?? [], conditionOf(milestone, now)) }
}

function conditionOf(milestone: Milestone, now: number): Condition {
  switch (milestone.type) {
    case 'created':
      return progress(
        'True',
        'NewReplicaSetCreated',
        `Created new replica set "${milestone.replicaSet}"`,
        now,
      )
    case 'found':
      return progress('True', 'FoundNewReplicaSet', `Found new replica set "${milestone.replicaSet}"`, now)
    case 'failed':
      return progress(
        'False',
        'ReplicaSetCreateError',
        `Failed to create new replica set "${milestone.replicaSet}": ${milestone.why}`,
        now,
      )
    case 'paused':
      return progress('Unknown', 'DeploymentPaused', 'Deployment is paused', now)
    case 'resumed':
      return progress('Unknown', 'DeploymentResumed', 'Deployment is resumed', now)
  }
}

/** Whether the Deployment was paused or resumed since its condition was written. */
export function pauseMilestone(deployment: Deployment): Milestone | undefined {
  const { reason } = deployment.status.conditions?.find(({ type }) => type === 'Progressing') ?? {}
  if (reason === 'ProgressDeadlineExceeded' || deadlineOf(deployment) === undefined) return undefined
  const known = reason === 'DeploymentPaused'
  if (Boolean(deployment.spec.paused) === known) return undefined
  return { type: known ? 'resumed' : 'paused' }
}
