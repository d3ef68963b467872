import { findCondition } from '@homeostat/api'
import type { Job, Pod } from '@homeostat/api/kinds'

/** Holds a Pod of a Job until its end was counted. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking'
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'
/** How many earlier Pods of an index failed, and how many of them failed without counting against the limit. */
export const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count'
export const IGNORED_INDEX_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count'
const MOST_FAILURES = 2_147_483_647

const JOB_CONTROLLER = 'kubernetes.io/job-controller'

/** Whether this controller is responsible for a Job: a Job can name another controller. */
export function isOurs({ spec }: Job): boolean {
  return (spec.managedBy ?? JOB_CONTROLLER) === JOB_CONTROLLER
}

export function isIndexed(job: Job): boolean {
  return job.spec.completionMode === 'Indexed'
}

/** Whether a Pod's end has not been counted yet. */
export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false
}

/** The index of a Pod of an Indexed Job; `undefined` when it has none that the Job knows. */
export function indexOf(job: Job, pod: Pod): number | undefined {
  const index = annotatedIndex(pod)
  return index !== undefined && index < (job.spec.completions ?? 0) ? index : undefined
}

/** The index that a Pod says it has, whether the Job knows it or not. */
export function annotatedIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX]
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

/** Whether a Job waits until a Pod has really ended before it makes another, rather than until it is being deleted. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined
}

/** Whether a Pod counts as failed. A Pod that is being deleted counts, unless the Job waits for its end. */
export function isFailed(job: Job, pod: Pod): boolean {
  if (pod.status.phase === 'Failed') return true
  if (replacesOnlyFailed(job)) return false
  return pod.metadata.deletionTimestamp !== undefined && pod.status.phase !== 'Succeeded'
}

/** How many earlier Pods of its index failed and count, and how many failed without counting against the limit. */
export function failuresBefore(pod: Pod): { readonly counted: number; readonly ignored: number } {
  const read = (name: string): number => {
    const number = Number(pod.metadata.annotations?.[name] ?? 0)
    return Number.isInteger(number) && number >= 0 && number <= MOST_FAILURES ? number : 0
  }
  return { counted: read(INDEX_FAILURES), ignored: read(IGNORED_INDEX_FAILURES) }
}

/** When a Pod ended, in milliseconds since 1970, from its status. */
export function finishedAt(pod: Pod): number {
  const ready = findCondition(pod.status.conditions, 'Ready')
  const { deletionTimestamp, deletionGracePeriodSeconds, creationTimestamp } = pod.metadata
  return (
    containersFinishedAt(pod) ??
    (ready?.status === 'False' ? timeOf(ready.lastTransitionTime) : undefined) ??
    (deletionTimestamp === undefined
      ? Date.parse(creationTimestamp)
      : Date.parse(deletionTimestamp) - (deletionGracePeriodSeconds ?? 0) * 1_000)
  )
}

/** When the last container ended, sidecars among them; `undefined` while one runs. */
function containersFinishedAt({ spec, status }: Pod): number | undefined {
  const sidecars = new Set(
    (spec.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  )
  const statuses = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ]
  const times = statuses.map(({ state }) => timeOf(state?.terminated?.finishedAt))
  if (times.length === 0 || times.includes(undefined)) return undefined
  return Math.max(...(times as number[]))
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}
