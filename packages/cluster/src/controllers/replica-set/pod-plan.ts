import type { CreateOf } from '@homeostat/api'
import type { ReplicaSet, Pod } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { isActive, isReady, readySince } from '../pods/pod-facts.ts'

/** The most Pods that are created or deleted in one reconcile. */
const BURST = 500
const PHASES = ['Pending', 'Unknown', 'Running']
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'

/** How many Pods to create, or which to delete, to reach the wanted number. */
export interface PodPlan {
  readonly create: number
  readonly remove: readonly Pod[]
}

/**
 * How many Pods to make, or which to delete. `siblings` are the Pods of all ReplicaSets of one owner: on nodes with
 * more of them, Pods are deleted first.
 */
export function planPods(
  replicaSet: ReplicaSet,
  active: readonly Pod[],
  siblings: readonly Pod[],
  now: number,
): PodPlan {
  const missing = (replicaSet.spec.replicas ?? 1) - active.length
  if (missing >= 0) return { create: Math.min(missing, BURST), remove: [] }
  const onNode = new Map<string, number>()
  for (const pod of siblings.filter(isActive)) {
    onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1)
  }
  const remove = [...active].sort((a, b) => rank(a, b, onNode, now)).slice(0, Math.min(-missing, BURST))
  return { create: 0, remove }
}

/**
 * Which of two Pods is deleted first: one that is not bound, then one that is not running, not ready, of lower
 * deletion cost, on a node with more of them, ready for a shorter time, restarted more often, younger.
 */
function rank(a: Pod, b: Pod, onNode: ReadonlyMap<string, number>, now: number): number {
  return (
    Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName)) ||
    PHASES.indexOf(a.status.phase ?? '') - PHASES.indexOf(b.status.phase ?? '') ||
    Number(isReady(a)) - Number(isReady(b)) ||
    deletionCost(a) - deletionCost(b) ||
    (onNode.get(nodeOf(b)) ?? 0) - (onNode.get(nodeOf(a)) ?? 0) ||
    byAge(a, b, readySince(a), readySince(b), now) ||
    restarts(b) - restarts(a) ||
    byAge(a, b, Date.parse(a.metadata.creationTimestamp), Date.parse(b.metadata.creationTimestamp), now)
  )
}

/**
 * The younger first. Ages count by their order of magnitude; Pods of about one age are chosen by their uid, which
 * means at random.
 */
function byAge(a: Pod, b: Pod, since: number | undefined, other: number | undefined, now: number): number {
  if (since === undefined || other === undefined || since === other) return 0
  return magnitude(now - since) - magnitude(now - other) || (a.metadata.uid < b.metadata.uid ? -1 : 1)
}

function nodeOf(pod: Pod): string {
  return pod.spec.nodeName ?? ''
}

function deletionCost(pod: Pod): number {
  return Number.parseInt(pod.metadata.annotations?.[DELETION_COST] ?? '0', 10) || 0
}

function restarts(pod: Pod): number {
  return Math.max(0, ...(pod.status.containerStatuses ?? []).map(({ restartCount }) => restartCount))
}

function magnitude(milliseconds: number): number {
  return milliseconds <= 0 ? -1 : Math.floor(Math.log2(milliseconds))
}

/** A Pod of the ReplicaSet, as it is created. */
export function podOf(replicaSet: ReplicaSet): CreateOf<typeof Pod> {
  const { namespace, name } = replicaSet.metadata
  const { metadata, spec } = replicaSet.spec.template ?? {}
  return {
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels: { ...metadata?.labels },
      ...(metadata?.annotations ? { annotations: { ...metadata.annotations } } : {}),
      ...(metadata?.finalizers ? { finalizers: [...metadata.finalizers] } : {}),
      ownerReferences: [controllerReference(replicaSet)],
    },
    spec: spec ?? { containers: [] },
  }
}
