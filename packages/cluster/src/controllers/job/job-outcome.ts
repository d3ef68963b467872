import { findCondition } from '@homeostat/api'
import type { BatchV1, Job, Pod } from '@homeostat/api/kinds'
import { countIndexes } from './index-intervals.ts'
import { jobCondition } from './job-conditions.ts'
import { isFailed, isIndexed } from './job-pods.ts'
import type { JobView } from './job-view.ts'
import { failureEffect } from './pod-failure-policy.ts'
import { matchedSuccessRule } from './success-policy.ts'

/**
 * The condition that ends a Job regardless of its running Pods: `SuccessCriteriaMet` or `FailureTarget`, or `Failed`
 * where `FailureTarget` was recorded before. `undefined` while the Job runs.
 */
export function endingCondition(
  view: JobView,
  startTime: string | undefined,
  now: number,
): BatchV1.JobCondition | undefined {
  const { job } = view
  const met = findCondition(job.status.conditions, 'SuccessCriteriaMet')
  if (met?.status === 'True') return { ...met }
  const target = findCondition(job.status.conditions, 'FailureTarget')
  if (target?.status === 'True') {
    return jobCondition('Failed', 'True', target.reason ?? '', target.message ?? '', now)
  }
  const failure = (reason: string, message: string): BatchV1.JobCondition =>
    jobCondition('FailureTarget', 'True', reason, message, now)
  const byPolicy = failedByPolicy(view)
  if (byPolicy !== undefined) return failure('PodFailurePolicy', byPolicy)
  if (view.failed > (job.spec.backoffLimit ?? 6) || restartedTooOften(job, view.pods)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit')
  }
  const left = deadlineIn(job, startTime, now)
  if (left !== undefined && left <= 0) {
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline')
  }
  return isIndexed(job) ? judgeIndexes(view, failure, now) : undefined
}

function judgeIndexes(
  { job, indexes }: JobView,
  failure: (reason: string, message: string) => BatchV1.JobCondition,
  now: number,
): BatchV1.JobCondition | undefined {
  const { completions = 0, maxFailedIndexes } = job.spec
  const failed = countIndexes(indexes.failed ?? [])
  if (maxFailedIndexes !== undefined && failed > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes'
    return failure('MaxFailedIndexesExceeded', message)
  }
  if (failed > 0 && failed + countIndexes(indexes.succeeded) >= completions) {
    return failure('FailedIndexes', 'Job has failed indexes')
  }
  const rule = matchedSuccessRule(job, indexes.succeeded)
  return rule === undefined
    ? undefined
    : jobCondition('SuccessCriteriaMet', 'True', 'SuccessPolicy', rule, now)
}

/** The condition of a Job with all completions. */
export function completionsReached(now: number): BatchV1.JobCondition {
  const message = 'Reached expected number of succeeded pods'
  return jobCondition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, now)
}

/** In how many milliseconds a Job that is not suspended has been active for too long; `undefined` without a deadline. */
export function deadlineIn({ spec }: Job, startTime: string | undefined, now: number): number | undefined {
  const { activeDeadlineSeconds, suspend } = spec
  if (activeDeadlineSeconds === undefined || startTime === undefined || suspend) return undefined
  return Date.parse(startTime) + activeDeadlineSeconds * 1_000 - now
}

function failedByPolicy({ job, pods }: JobView): string | undefined {
  for (const pod of pods) {
    const why = isFailed(job, pod) ? failureEffect(job, pod).failsJob : undefined
    if (why !== undefined) return why
  }
  return undefined
}

/** Where Pods restart their own containers, the limit applies to those restarts. */
function restartedTooOften({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false
  const limit = spec.backoffLimit ?? 6
  const restarts = pods
    .filter(({ status }) => status.phase === 'Running' || status.phase === 'Pending')
    .flatMap(({ status }) => [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0)
  return limit === 0 ? restarts > 0 : restarts >= limit
}
