import type { DaemonSet } from '@homeostat/api/kinds'
import { availableIn, isReady } from '../pods/pod-facts.ts'
import { isOf, type DaemonNode } from './daemon-plan.ts'
import { nonzeroCounts } from '../objects/nonzero-counts.ts'

/** The numbers in a DaemonSet's status. On each node the oldest Pod counts. */
export function daemonStatus(
  set: DaemonSet,
  nodes: readonly DaemonNode[],
  revision: string,
  now: number,
): DaemonSet['status'] {
  const wanted = nodes.filter(({ decision }) => decision.run)
  const there = wanted.flatMap(({ pods: [oldest] }) => oldest ?? [])
  const available = there.filter((pod) => availableIn(pod, set.spec.minReadySeconds ?? 0, now) === 0).length
  const { conditions, collisionCount } = set.status
  return {
    currentNumberScheduled: there.length,
    numberMisscheduled: nodes.filter(({ decision, pods }) => !decision.run && pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: there.filter(isReady).length,
    observedGeneration: set.metadata.generation,
    ...nonzeroCounts({
      updatedNumberScheduled: there.filter((pod) => isOf(pod, revision)).length,
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    ...(conditions === undefined ? {} : { conditions }),
  }
}
