import { isConditionTrue, timestamp, type DeepReadonly } from '@homeostat/api'
import type { BatchV1, Job } from '@homeostat/api/kinds'

/** A condition as it is read or written. */
export type JobCondition = DeepReadonly<BatchV1.JobCondition>

export function jobCondition(
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  now: number,
): BatchV1.JobCondition {
  const time = timestamp(now)
  return { type, status, lastProbeTime: time, lastTransitionTime: time, reason, message }
}

/** How a Job ended, if it has. */
export function jobEnd(job: Job): 'Complete' | 'Failed' | undefined {
  return (['Complete', 'Failed'] as const).find((type) => isConditionTrue(job.status.conditions, type))
}

/** When a Job ended, in milliseconds since 1970. */
export function jobEndedAt(job: Job): number | undefined {
  const type = jobEnd(job)
  const condition = job.status.conditions?.find((one) => one.type === type)
  return condition?.lastTransitionTime === undefined ? undefined : Date.parse(condition.lastTransitionTime)
}

/** The conditions with this one, and whether it changed. A condition that was never true is not added as false. */
export function withJobCondition(
  conditions: readonly JobCondition[],
  condition: BatchV1.JobCondition,
): { readonly conditions: readonly JobCondition[]; readonly changed: boolean } {
  const before = conditions.find(({ type }) => type === condition.type)
  if (!before) {
    if (condition.status === 'False') return { conditions, changed: false }
    return { conditions: [...conditions, condition], changed: true }
  }
  const { status, reason, message } = condition
  if (before.status === status && before.reason === reason && before.message === message) {
    return { conditions, changed: false }
  }
  return { conditions: conditions.map((one) => (one === before ? condition : one)), changed: true }
}
