import type { Job, Pod } from '@homeostat/api/kinds'
import { isActive, isReady, isTerminating } from '../pods/pod-facts.ts'
import { hasIndex, countIndexes, parseIndexes, withIndexes, type IndexIntervals } from './index-intervals.ts'
import {
  annotatedIndex,
  failuresBefore,
  finishedAt,
  indexOf,
  isFailed,
  isIndexed,
  isTracked,
} from './job-pods.ts'
import { failureEffect } from './pod-failure-policy.ts'

/** A Job with its Pods, counted. */
export interface JobView {
  readonly job: Job
  /** By their index, where they have one. */
  readonly pods: readonly Pod[]
  readonly active: readonly Pod[]
  readonly ready: number
  readonly terminating: number
  /** Those that ended and are in no count of the status yet. */
  readonly newSucceeded: readonly Pod[]
  readonly newFailed: readonly Pod[]
  /** All that succeeded and failed, counted or not. For an Indexed Job: all indexes that succeeded. */
  readonly succeeded: number
  readonly failed: number
  readonly indexes: IndexView
}

/** The state of the indexes of an Indexed Job; all empty for others. */
export interface IndexView {
  /** As the status has them. */
  readonly counted: IndexIntervals
  readonly succeeded: IndexIntervals
  /** Only where failures are limited for each index. */
  readonly failed: IndexIntervals | undefined
  /** The Pod of each index that failed last and whose count of failures its replacement has to take over. */
  readonly toReplace: ReadonlyMap<number, Pod>
}

/** Counts the Pods of a Job. */
export function viewJob(job: Job, all: readonly Pod[]): JobView {
  const pods = isIndexed(job) ? [...all].sort(byIndex) : all
  const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted = {} } = job.status
  const valid = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || indexOf(job, pod) !== undefined))
  const newSucceeded = valid.filter(
    (pod) => pod.status.phase === 'Succeeded' && !uncounted.succeeded?.includes(pod.metadata.uid),
  )
  const newFailed = valid.filter((pod) => isFailed(job, pod) && !uncounted.failed?.includes(pod.metadata.uid))
  const active = pods.filter(isActive)
  const indexes = viewIndexes(job, valid, active)
  return {
    job,
    pods,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    newSucceeded,
    newFailed,
    succeeded: isIndexed(job)
      ? countIndexes(indexes.succeeded)
      : succeeded + newSucceeded.length + (uncounted.succeeded?.length ?? 0),
    failed:
      failed +
      newFailed.filter((pod) => failureEffect(job, pod).counts).length +
      (uncounted.failed?.length ?? 0),
    indexes,
  }
}

function viewIndexes(job: Job, valid: readonly Pod[], active: readonly Pod[]): IndexView {
  if (!isIndexed(job)) return { counted: [], succeeded: [], failed: undefined, toReplace: new Map() }
  const { completions = 0 } = job.spec
  const counted = parseIndexes(job.status.completedIndexes, completions)
  const ended = valid.filter(({ status }) => status.phase === 'Succeeded')
  const succeeded = withIndexes(
    counted,
    ended.map((pod) => indexOf(job, pod) ?? 0),
  )
  if (job.spec.backoffLimitPerIndex === undefined) {
    return { counted, succeeded, failed: undefined, toReplace: new Map() }
  }
  const failed = withIndexes(
    parseIndexes(job.status.failedIndexes, completions),
    valid.filter((pod) => failsIndex(job, pod)).map((pod) => indexOf(job, pod) ?? 0),
  )
  const done = new Set(active.map(annotatedIndex))
  const toReplace = new Map<number, Pod>()
  for (const pod of valid) {
    const index = indexOf(job, pod)
    if (index === undefined || !isFailed(job, pod)) continue
    if (done.has(index) || hasIndex(succeeded, index) || hasIndex(failed, index)) continue
    const other = toReplace.get(index)
    if (!other || isLater(pod, other)) toReplace.set(index, pod)
  }
  return { counted, succeeded, failed, toReplace }
}

function failsIndex(job: Job, pod: Pod): boolean {
  if (!isFailed(job, pod)) return false
  const { counts, failsIndex: atOnce } = failureEffect(job, pod)
  return atOnce || (counts && failuresBefore(pod).counted >= (job.spec.backoffLimitPerIndex ?? 0))
}

function isLater(pod: Pod, other: Pod): boolean {
  const failures = (of: Pod): number => failuresBefore(of).counted + failuresBefore(of).ignored
  return failures(other) <= failures(pod) && finishedAt(pod) >= finishedAt(other)
}

function byIndex(a: Pod, b: Pod): number {
  return (annotatedIndex(a) ?? -1) - (annotatedIndex(b) ?? -1)
}
