import type { Deployment, ReplicaSet } from '@homeostat/api/kinds'
import { byAge, DESIRED_REPLICAS, MAX_REPLICAS, revisionOf } from './revisions.ts'
import { desiredReplicas, isRolling, maxSurge, maxUnavailable, sizeOf, totalSize } from './rollout-limits.ts'

/** A ReplicaSet, and the number of Pods that it should have. */
export interface Scaling {
  readonly replicaSet: ReplicaSet
  readonly replicas: number
}

/** How many replicas the current ReplicaSet may have beside the others: no more than the surge allows, and no more than the Deployment asks for. */
export function currentSize(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): number {
  const desired = desiredReplicas(deployment)
  if (!isRolling(deployment)) return desired
  const size = current ? sizeOf(current) : 0
  const room = desired + maxSurge(deployment) - size - totalSize(old)
  return room <= 0 ? size : size + Math.min(room, desired - size)
}

/**
 * The next step of a rolling update: the current ReplicaSet grows as much as it may; when it cannot, the old ones
 * shrink as much as the number of available Pods allows. Old Pods that are not available go first.
 */
export function planRolling(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): Scaling[] {
  const desired = desiredReplicas(deployment)
  if (sizeOf(current) !== desired) {
    const replicas = sizeOf(current) > desired ? desired : currentSize(deployment, current, old)
    if (replicas !== sizeOf(current)) return [{ replicaSet: current, replicas }]
  }
  return planShrinking(deployment, current, old)
}

function planShrinking(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Scaling[] {
  const active = old.filter((replicaSet) => sizeOf(replicaSet) > 0).sort(byAge)
  const minimum = desiredReplicas(deployment) - maxUnavailable(deployment)
  const unavailable = sizeOf(current) - (current.status.availableReplicas ?? 0)
  let spare = totalSize(active) + sizeOf(current) - minimum - unavailable
  if (active.length === 0 || spare <= 0) return []
  // A status that counts more Pods than the spec asks for is older than the last step, so that the next step cannot
  // be based on it.
  if (active.some((set) => (set.status.availableReplicas ?? 0) > sizeOf(set))) return []
  const sizes = new Map(active.map((replicaSet) => [replicaSet, sizeOf(replicaSet)]))
  const plan: Scaling[] = []
  const shrink = (replicaSet: ReplicaSet, by: number): number => {
    const replicas = (sizes.get(replicaSet) ?? 0) - by
    if (by <= 0) return 0
    sizes.set(replicaSet, replicas)
    plan.push({ replicaSet, replicas })
    return by
  }
  for (const replicaSet of active) {
    const unhealthy = sizeOf(replicaSet) - (replicaSet.status.availableReplicas ?? 0)
    spare -= shrink(replicaSet, Math.min(spare, unhealthy))
  }
  let surplus =
    [...active, current].reduce((sum, set) => sum + (set.status.availableReplicas ?? 0), 0) - minimum
  for (const replicaSet of active) {
    surplus -= shrink(replicaSet, Math.min(surplus, sizes.get(replicaSet) ?? 0))
  }
  return plan
}

/** The next step of the strategy Recreate: all old ReplicaSets are scaled to zero first. */
export function planRecreate(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  oldPodsRun: boolean,
): Scaling[] | 'create' {
  const shrink = old.filter((set) => sizeOf(set) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }))
  if (shrink.length > 0) return shrink
  if (oldPodsRun) return []
  if (!current) return 'create'
  const replicas = desiredReplicas(deployment)
  return sizeOf(current) === replicas ? [] : [{ replicaSet: current, replicas }]
}

/** Whether the number of replicas was changed since the ReplicaSets were last scaled. */
export function isScaling(deployment: Deployment, replicaSets: readonly ReplicaSet[]): boolean {
  return replicaSets.some((replicaSet) => {
    const noted = numberIn(replicaSet, DESIRED_REPLICAS)
    return sizeOf(replicaSet) > 0 && noted !== undefined && noted !== desiredReplicas(deployment)
  })
}

/**
 * How to scale without rolling out. One active ReplicaSet takes the whole number; several, in the middle
 * of a rolling update, divide the added or removed replicas by their sizes.
 */
export function planScale(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Scaling[] {
  const desired = desiredReplicas(deployment)
  const all = current ? [...old, current] : [...old]
  const active = all.filter((replicaSet) => sizeOf(replicaSet) > 0)
  const newest = current ?? [...old].sort(byAge).at(-1)
  const only = active.length === 0 ? newest : active.length === 1 ? active[0] : undefined
  if (only) return sizeOf(only) === desired ? [] : [{ replicaSet: only, replicas: desired }]
  if (active.length === 0) return []
  if (current && isSaturated(deployment, current)) {
    return old.filter((set) => sizeOf(set) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }))
  }
  return isRolling(deployment) ? planProportions(deployment, active) : []
}

function planProportions(deployment: Deployment, active: readonly ReplicaSet[]): Scaling[] {
  const desired = desiredReplicas(deployment)
  const allowed = desired > 0 ? desired + maxSurge(deployment) : 0
  const toAdd = allowed - totalSize(active)
  // Among ReplicaSets of one size, the newer ones grow first and the older ones shrink first.
  const ordered = [...active].sort((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)))
  const sizes = new Map<ReplicaSet, number>()
  let added = 0
  for (const replicaSet of ordered) {
    const share = toAdd === 0 || added === toAdd ? 0 : fraction(deployment, replicaSet)
    const part = toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added)
    sizes.set(replicaSet, sizeOf(replicaSet) + part)
    added += part
  }
  const [largest] = ordered
  if (largest && toAdd !== 0) sizes.set(largest, Math.max(0, (sizes.get(largest) ?? 0) + toAdd - added))
  // Writes all of them, so that each records the current number of replicas of the Deployment.
  return [...sizes].map(([replicaSet, replicas]) => ({ replicaSet, replicas }))
}

/** By how much a ReplicaSet grows when all keep their proportions. */
function fraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const desired = desiredReplicas(deployment)
  const size = sizeOf(replicaSet)
  if (desired === 0) return -size
  const before = numberIn(replicaSet, MAX_REPLICAS) || (deployment.status.replicas ?? 0)
  if (before === 0) return 0
  return Math.round((size * (desired + maxSurge(deployment))) / before) - size
}

/** Old ReplicaSets beyond the number that is kept for rollbacks, the lowest revisions first. */
export function planCleanUp(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit
  if (limit === undefined || limit >= 2_147_483_647) return []
  const alive = old.filter((replicaSet) => !replicaSet.metadata.deletionTimestamp)
  return alive
    .sort((a, b) => revisionOf(a) - revisionOf(b) || byAge(a, b))
    .slice(0, Math.max(0, alive.length - limit))
    .filter(
      ({ metadata, spec, status }) =>
        status.replicas === 0 &&
        spec.replicas === 0 &&
        (metadata.generation ?? 0) <= (status.observedGeneration ?? 0),
    )
}

function isSaturated(deployment: Deployment, current: ReplicaSet): boolean {
  const desired = desiredReplicas(deployment)
  return (
    sizeOf(current) === desired &&
    numberIn(current, DESIRED_REPLICAS) === desired &&
    current.status.availableReplicas === desired
  )
}

function numberIn(replicaSet: ReplicaSet, annotation: string): number | undefined {
  const text = replicaSet.metadata.annotations?.[annotation]
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}
