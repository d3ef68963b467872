import { findCondition } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'

/** Whether a Pod counts as a replica: it has not run to its end, and is not being deleted. */
export function isActive(pod: Pod): boolean {
  const { phase } = pod.status
  return phase !== 'Succeeded' && phase !== 'Failed' && !pod.metadata.deletionTimestamp
}

export function isReady(pod: Pod): boolean {
  return findCondition(pod.status.conditions, 'Ready')?.status === 'True'
}

/** Since when a Pod is ready, in milliseconds since 1970; `undefined` when it is not. */
export function readySince(pod: Pod): number | undefined {
  const ready = findCondition(pod.status.conditions, 'Ready')
  if (ready?.status !== 'True') return undefined
  return Date.parse(ready.lastTransitionTime ?? '') || 0
}

/** In how many milliseconds a Pod counts as available: 0 when it does, `undefined` when it is not ready. */
export function availableIn(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const since = readySince(pod)
  if (since === undefined) return undefined
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1_000 - now)
}
