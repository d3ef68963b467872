import type { Pod } from '@homeostat/api/kinds'
import { isTerminating } from '../pods/pod-facts.ts'
import { waitAfter, waitAfterPod, type Failures } from './back-off.ts'
import { freeIndexes, mergeIndexes, withIndexes } from './index-intervals.ts'
import { annotatedIndex, isIndexed, replacesOnlyFailed } from './job-pods.ts'
import type { JobView } from './job-view.ts'
import { byRemoval } from './pod-removal.ts'

/** Which Pods of a Job to create or to delete; never both at once. */
export interface PodChanges {
  readonly remove: readonly Pod[]
  /** One for each Pod to make: its index, or `undefined` where Pods have none. */
  readonly create: readonly (number | undefined)[]
  /** After how many milliseconds to reconcile again, because Pods have just failed. */
  readonly wait?: number | undefined
}

/** The most Pods that are created or deleted in one reconcile. */
const MOST_CHANGES = 500
const NOTHING: PodChanges = { remove: [], create: [] }

/** Which Pods to make or delete. */
export function planPodChanges(view: JobView, failures: Failures, now: number): PodChanges {
  const { job, active } = view
  if (job.spec.suspend) return { ...NOTHING, remove: surplus(view, active.length) }
  const wanted = wantedActive(view)
  const remove = surplus(view, Math.max(0, active.length - wanted)).slice(0, MOST_CHANGES)
  if (remove.length > 0) return { ...NOTHING, remove }
  const terminating = replacesOnlyFailed(job) ? view.terminating : 0
  const missing = Math.min(wanted - terminating - active.length, MOST_CHANGES)
  if (missing <= 0) return NOTHING
  if (job.spec.backoffLimitPerIndex === undefined) {
    const wait = waitAfter(failures, now)
    if (wait > 0) return { ...NOTHING, wait }
  }
  if (!isIndexed(job)) return { ...NOTHING, create: Array.from({ length: missing }) }
  return createIndexes(view, missing, now)
}

function wantedActive({ job, active, succeeded }: JobView): number {
  const { completions, parallelism = 1 } = job.spec
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism
  return Math.max(0, Math.min(completions - succeeded, parallelism))
}

function createIndexes(view: JobView, missing: number, now: number): PodChanges {
  const { job, indexes } = view
  const taken = [...view.active, ...(replacesOnlyFailed(job) ? view.pods.filter(isTerminating) : [])]
  const busy = withIndexes(
    indexes.succeeded,
    taken.flatMap((pod) => annotatedIndex(pod) ?? []),
  )
  const free = freeIndexes(mergeIndexes(busy, indexes.failed ?? []), missing, job.spec.completions ?? 0)
  const waits = free.map((index) => {
    const failed = indexes.toReplace.get(index)
    return failed ? waitAfterPod(failed, now) : 0
  })
  const create = free.filter((_, i) => waits[i] === 0)
  if (create.length > 0 || free.length === 0) return { ...NOTHING, create }
  return { ...NOTHING, wait: Math.min(...waits) }
}

/**
 * The active Pods to delete, at least this many, the least useful first. For an Indexed Job also each Pod with a
 * duplicate or an invalid index.
 */
function surplus({ job, active }: JobView, atLeast: number): readonly Pod[] {
  const remove: Pod[] = []
  let left = [...active].sort(byRemoval)
  if (isIndexed(job)) {
    const kept = new Map<number, Pod>()
    for (const pod of left) {
      const index = annotatedIndex(pod)
      const doubled = index === undefined ? undefined : kept.get(index)
      if (index === undefined || index >= (job.spec.completions ?? 0)) remove.push(pod)
      else kept.set(index, pod)
      // The most useful Pod comes last.
      if (doubled) remove.push(doubled)
    }
    left = left.filter((pod) => !remove.includes(pod))
  }
  return [...remove, ...left.slice(0, Math.max(0, atLeast - remove.length))]
}
