import { timestamp } from '@homeostat/api'
import type { AppsV1, Pod, ReplicaSet } from '@homeostat/api/kinds'
import { availableIn, isReady } from '../pod-facts.ts'

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
  const labels = Object.entries(replicaSet.spec.template?.metadata?.labels ?? {})
  const minReadySeconds = replicaSet.spec.minReadySeconds ?? 0
  const { active, terminating } = pods
  const labelled = active.filter((pod) =>
    labels.every(([key, value]) => pod.metadata.labels?.[key] === value),
  )
  const ready = active.filter(isReady)
  const available =
    minReadySeconds === 0 ? ready : ready.filter((pod) => availableIn(pod, minReadySeconds, now) === 0)
  const conditions = conditionsOf(replicaSet, failure, now)
  return {
    replicas: active.length,
    ...count('fullyLabeledReplicas', labelled.length),
    ...count('readyReplicas', ready.length),
    ...count('availableReplicas', available.length),
    terminatingReplicas: terminating.length,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length > 0 ? { conditions } : {}),
  }
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
  // The first failure stays until there is none: the same trouble in other words would be a write each time.
  if (known) return [...others, { ...known }]
  return [
    ...others,
    { type: 'ReplicaFailure', status: 'True', lastTransitionTime: timestamp(now), ...failure },
  ]
}

function count<K extends string>(name: K, value: number): { [key in K]?: number } {
  return value === 0 ? {} : ({ [name]: value } as { [key in K]: number })
}
