import { timestamp } from '@homeostat/api'
import type { AppsV1, Pod, ReplicaSet } from '@homeostat/api/kinds'
import { availableIn } from '../pods/pod-facts.ts'
import { nonzeroCounts } from '../objects/nonzero-counts.ts'

/** Why Pods could not be made or deleted. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete'
  readonly message: string
}

/** The status of a ReplicaSet, from its Pods. */
export function replicaSetStatus(
  replicaSet: ReplicaSet,
  pods: { readonly active: readonly Pod[]; readonly terminating: readonly Pod[] },
  failure: ReplicaFailure | undefined,
  now: number,
): AppsV1.ReplicaSetStatus {
  const { active, terminating } = pods
  const { labelled, ready, available } = countPods(replicaSet, active, now)
  const conditions = conditionsOf(replicaSet, failure, now)
  return {
    replicas: active.length,
    ...nonzeroCounts({
      fullyLabeledReplicas: labelled,
      readyReplicas: ready,
      availableReplicas: available,
    }),
    terminatingReplicas: terminating.length,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length > 0 ? { conditions } : {}),
  }
}

/** In one pass: with hundreds of Pods this runs for each change of each of them. */
function countPods(
  { spec }: ReplicaSet,
  pods: readonly Pod[],
  now: number,
): { labelled: number; ready: number; available: number } {
  const labels = Object.entries(spec.template?.metadata?.labels ?? {})
  const minReadySeconds = spec.minReadySeconds ?? 0
  const counts = { labelled: 0, ready: 0, available: 0 }
  for (const pod of pods) {
    if (labels.every(([key, value]) => pod.metadata.labels?.[key] === value)) counts.labelled++
    const wait = availableIn(pod, minReadySeconds, now)
    if (wait !== undefined) counts.ready++
    if (wait === 0) counts.available++
  }
  return counts
}

function conditionsOf(
  replicaSet: ReplicaSet,
  failure: ReplicaFailure | undefined,
  now: number,
): AppsV1.ReplicaSetCondition[] {
  const before = replicaSet.status.conditions ?? []
  const others = before.filter(({ type }) => type !== 'ReplicaFailure').map((condition) => ({ ...condition }))
  if (!failure) return others
  const known = before.find(({ type }) => type === 'ReplicaFailure')
  // The first failure stays until there is none: a changing message would cause a write each time.
  if (known) return [...others, { ...known }]
  return [
    ...others,
    { type: 'ReplicaFailure', status: 'True', lastTransitionTime: timestamp(now), ...failure },
  ]
}
