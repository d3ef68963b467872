import type { BatchV1, Pod } from '@homeostat/api/kinds'
import { countIndexes, formatIndexes, hasIndex, withIndexes } from './index-intervals.ts'
import { withJobCondition, jobCondition, type JobCondition } from './job-conditions.ts'
import { indexOf, isFailed, isIndexed, isTracked } from './job-pods.ts'
import type { JobView } from './job-view.ts'
import { failureEffect } from './pod-failure-policy.ts'

/** A status that is being computed. */
export type JobStatusDraft = BatchV1.JobStatus & {
  uncountedTerminatedPods: { succeeded: string[]; failed: string[] }
  conditions: readonly JobCondition[] & BatchV1.JobCondition[]
}

/** How the ends of Pods get into the counts of a Job, each exactly once. */
export interface Tracking {
  /** The status to write before the finalizers of the Pods are removed: it lists the uids of the Pods. */
  readonly status: JobStatusDraft
  /** Whether it differs from the stored status. */
  readonly changed: boolean
  /** The Pods whose end is recorded, so that their finalizer can be removed. */
  readonly release: readonly Pod[]
  /** The condition that ends the Job once they are gone. */
  readonly end: BatchV1.JobCondition | undefined
}

/** The most uids of Pods in a status, to keep it small. */
const MOST_UNCOUNTED = 500

/**
 * Notes the Pods that ended. The status counts a Pod only after its finalizer is removed: a process that dies
 * between two writes counts none twice and loses none.
 */
export function trackPods(
  view: JobView,
  draft: JobStatusDraft,
  finished: BatchV1.JobCondition | undefined,
  now: number,
): Tracking {
  const { job, pods, indexes } = view
  const tracked = pods.filter(isTracked)
  const counted = countReleased(draft, new Set(tracked.map(({ metadata }) => metadata.uid)))
  let changed = counted !== draft
  const succeeded = [...counted.uncountedTerminatedPods.succeeded]
  const failed = [...counted.uncountedTerminatedPods.failed]
  const status: JobStatusDraft = { ...counted, uncountedTerminatedPods: { succeeded, failed } }
  const newIndexes: number[] = []
  const release: Pod[] = []
  let full = false
  for (const pod of tracked) {
    const hasFailed = isFailed(job, pod)
    if (!mayGo(view, pod, hasFailed, finished)) continue
    release.push(pod)
    const { uid } = pod.metadata
    const index = indexOf(job, pod)
    if (pod.status.phase === 'Succeeded' && !failed.includes(uid)) {
      if (isIndexed(job)) {
        if (index !== undefined && !hasIndex(indexes.counted, index)) newIndexes.push(index)
      } else if (!succeeded.includes(uid)) {
        succeeded.push(uid)
        changed = true
      }
    } else if (hasFailed || (finished && finished.type !== 'SuccessCriteriaMet')) {
      const known = failed.includes(uid) || (isIndexed(job) && index === undefined)
      if (!known && failureEffect(job, pod).counts) {
        failed.push(uid)
        changed = true
      }
    }
    full = newIndexes.length + succeeded.length + failed.length >= MOST_UNCOUNTED
    if (full) break
  }
  if (isIndexed(job)) {
    const done = withIndexes(indexes.succeeded, newIndexes)
    status.succeeded = countIndexes(done)
    status.completedIndexes = formatIndexes(done)
    if (indexes.failed) status.failedIndexes = formatIndexes(indexes.failed)
    else delete status.failedIndexes
    changed ||=
      newIndexes.length > 0 ||
      status.completedIndexes !== (job.status.completedIndexes ?? '') ||
      status.failedIndexes !== job.status.failedIndexes
  }
  const noted = finished && noteTarget(status, finished)
  const end = finished && endCondition(finished, now)
  return { status, changed: changed || noted === true, release, end: full ? undefined : end }
}

/** Counts the Pods in the status whose finalizer was removed; returns the same draft when there are none. */
export function countReleased(draft: JobStatusDraft, held: ReadonlySet<string>): JobStatusDraft {
  const { succeeded, failed } = draft.uncountedTerminatedPods
  const left = {
    succeeded: succeeded.filter((uid) => held.has(uid)),
    failed: failed.filter((uid) => held.has(uid)),
  }
  const [goneSucceeded, goneFailed] = [
    succeeded.length - left.succeeded.length,
    failed.length - left.failed.length,
  ]
  if (goneSucceeded + goneFailed === 0) return draft
  return {
    ...draft,
    succeeded: (draft.succeeded ?? 0) + goneSucceeded,
    failed: (draft.failed ?? 0) + goneFailed,
    uncountedTerminatedPods: left,
  }
}

/** The status with the condition that ends the Job; `undefined` while Pods are uncounted or terminating. */
export function withEnd(
  draft: JobStatusDraft,
  end: BatchV1.JobCondition | undefined,
): JobStatusDraft | undefined {
  const { succeeded, failed } = draft.uncountedTerminatedPods
  if (!end || succeeded.length + failed.length > 0 || (draft.terminating ?? 0) > 0) return undefined
  const conditions = withJobCondition(draft.conditions, end).conditions as JobStatusDraft['conditions']
  const completionTime = end.type === 'Complete' ? { completionTime: end.lastTransitionTime } : {}
  return { ...draft, conditions, ...completionTime }
}

/** Whether a Pod's end is certain, so that it can be counted and its finalizer removed. */
function mayGo(
  { job, indexes }: JobView,
  pod: Pod,
  hasFailed: boolean,
  finished: BatchV1.JobCondition | undefined,
): boolean {
  if (job.metadata.deletionTimestamp || finished || pod.status.phase === 'Succeeded') return true
  if (!hasFailed) return false
  const index = indexOf(job, pod)
  // Its replacement takes over the number of failures of the index.
  return index === undefined || indexes.toReplace.get(index)?.metadata.uid !== pod.metadata.uid
}

/** Records that the Job will end, before the Pods that decide it are deleted. */
function noteTarget(status: JobStatusDraft, finished: BatchV1.JobCondition): boolean {
  const { type } = finished
  if (type !== 'FailureTarget' && type !== 'SuccessCriteriaMet') return false
  if (status.conditions.some((one) => one.type === type && one.status === 'True')) return false
  status.conditions = [...status.conditions, finished]
  return true
}

function endCondition(finished: BatchV1.JobCondition, now: number): BatchV1.JobCondition {
  const { type, reason = '', message = '' } = finished
  return jobCondition(type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', 'True', reason, message, now)
}
