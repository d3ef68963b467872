import type { Deployment, ReplicaSet } from '@homeostat/api/kinds'

/** How many Pods a Deployment wants. */
export function desiredReplicas(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1
}

/** How many Pods a ReplicaSet should have. */
export function sizeOf(replicaSet: ReplicaSet): number {
  return replicaSet.spec.replicas ?? 1
}

/** How many Pods all ReplicaSets together should have. */
export function totalSize(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((total, replicaSet) => total + sizeOf(replicaSet), 0)
}

export function isRolling(deployment: Deployment): boolean {
  return (deployment.spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate'
}

/** The most Pods above the desired number. */
export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment) ? limits(deployment).surge : 0
}

/** The most missing Pods of the desired number. */
export function maxUnavailable(deployment: Deployment): number {
  const desired = desiredReplicas(deployment)
  return isRolling(deployment) ? Math.min(limits(deployment).unavailable, desired) : 0
}

function limits(deployment: Deployment): { surge: number; unavailable: number } {
  const desired = desiredReplicas(deployment)
  const { maxSurge, maxUnavailable } = deployment.spec.strategy?.rollingUpdate ?? {}
  const surge = scaled(maxSurge ?? 0, desired, Math.ceil)
  const unavailable = scaled(maxUnavailable ?? 0, desired, Math.floor)
  // Percentages of few replicas can both be zero, and then the rollout could not proceed.
  return surge === 0 && unavailable === 0 ? { surge: 0, unavailable: 1 } : { surge, unavailable }
}

/** A number, or a percentage of the whole. */
function scaled(value: number | string, whole: number, round: (x: number) => number): number {
  if (typeof value === 'number') return value
  return round((Number.parseInt(value, 10) * whole) / 100)
}
