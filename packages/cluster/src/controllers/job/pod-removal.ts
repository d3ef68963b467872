import type { Pod } from '@homeostat/api/kinds'
import { isReady, readySince } from '../pods/pod-facts.ts'

const PHASES = ['Pending', 'Unknown', 'Running']

/**
 * Orders Pods from the least useful: not bound first, then not running, not ready, ready for a shorter time,
 * restarted more often, younger.
 */
export function byRemoval(a: Pod, b: Pod): number {
  return (
    Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName)) ||
    PHASES.indexOf(a.status.phase ?? '') - PHASES.indexOf(b.status.phase ?? '') ||
    Number(isReady(a)) - Number(isReady(b)) ||
    (readySince(b) ?? 0) - (readySince(a) ?? 0) ||
    restarts(b) - restarts(a) ||
    Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp)
  )
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status.containerStatuses ?? []).map(({ restartCount }) => restartCount))
}
