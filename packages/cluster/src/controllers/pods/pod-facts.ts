import { findCondition } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'

/** Whether a Pod counts as a replica: it has not run to its end, and is not being deleted. */
export function isActive(pod: Pod): boolean {
  const { phase } = pod.status
  return phase !== 'Succeeded' && phase !== 'Failed' && !pod.metadata.deletionTimestamp
}

export function isReady(pod: Pod): boolean {
  for (const { type, status } of pod.status.conditions ?? []) {
    if (type === 'Ready') return status === 'True'
  }
  return false
}

/** Since when a Pod is ready, in milliseconds since 1970; `undefined` when it is not. */
export function readySince(pod: Pod): number | undefined {
  const ready = findCondition(pod.status.conditions, 'Ready')
  if (ready?.status !== 'True') return undefined
  return Date.parse(ready.lastTransitionTime ?? '') || 0
}

/** After how many milliseconds a Pod counts as available: 0 when it does now, `undefined` when it is not ready. */
export function availableIn(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds === 0) return isReady(pod) ? 0 : undefined
  const since = readySince(pod)
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1_000 - now)
}

/** After how many milliseconds the next ready Pod becomes available; `undefined` when no Pod waits for that. */
export function nextAvailable(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  if (minReadySeconds === 0) return undefined
  const waits = pods
    .map((pod) => availableIn(pod, minReadySeconds, now))
    .filter((wait) => wait !== undefined && wait > 0)
  return waits.length === 0 ? undefined : Math.min(...(waits as number[]))
}

/** Whether a Pod is being deleted and has not run to its end yet. */
export function isTerminating({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed'
}
