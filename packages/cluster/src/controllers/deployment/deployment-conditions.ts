import { timestamp } from '@homeostat/api'
import type { AppsV1, Deployment } from '@homeostat/api/kinds'

/** A condition of a Deployment. */
export type Condition = AppsV1.DeploymentCondition

/** The API's value for no progress deadline. */
const NO_DEADLINE = 2_147_483_647

/** After how many seconds without progress a rollout counts as failed; `undefined` where there is no deadline. */
export function deadlineOf(deployment: Deployment): number | undefined {
  const seconds = deployment.spec.progressDeadlineSeconds
  return seconds === undefined || seconds === NO_DEADLINE ? undefined : seconds
}

/** The state of a rollout. */
export function progress(
  status: Condition['status'],
  reason: string,
  message: string,
  now: number,
): Condition {
  const time = timestamp(now)
  return { type: 'Progressing', status, lastUpdateTime: time, lastTransitionTime: time, reason, message }
}

/** Sets a condition, unless one with the same status and reason exists. The transition time changes with the status. */
export function withCondition(conditions: Condition[], condition: Condition): Condition[] {
  const before = conditions.find(({ type }) => type === condition.type)
  if (before?.status === condition.status && before.reason === condition.reason) return conditions
  const since = before?.status === condition.status ? { lastTransitionTime: before.lastTransitionTime } : {}
  return [...without(conditions, condition.type), { ...condition, ...since }]
}

/** The conditions of all types except one. */
export function without(conditions: Condition[], type: string): Condition[] {
  return conditions.filter((condition) => condition.type !== type)
}
