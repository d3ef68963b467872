import type { DaemonSet, Node, Pod } from '@homeostat/api/kinds'
import { availableIn } from '../pods/pod-facts.ts'
import { decideNode, nodeOf, REVISION_LABEL, type NodeDecision } from './daemon-pod.ts'

/** A node with the Pods of the set on it, the oldest first. */
export interface DaemonNode {
  readonly name: string
  readonly decision: NodeDecision
  readonly pods: readonly Pod[]
}

/** The next changes of a DaemonSet's Pods. */
export interface DaemonPlan {
  /** The nodes that get a Pod. */
  readonly create: readonly string[]
  readonly remove: readonly Pod[]
  /** Pods among them that have ended, although they should always run. */
  readonly ended: readonly Pod[]
}

/** A Pod that ends sooner is replaced only after this many milliseconds, so that it does not keep a node busy. */
export const SHORTEST_LIFE = 10_000

/** The nodes of a cluster for the set, and Pods whose node no longer exists. */
export function daemonNodes(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
): { readonly nodes: readonly DaemonNode[]; readonly withoutNode: readonly Pod[] } {
  const byAge = [...pods].sort((a, b) => createdAt(a) - createdAt(b))
  const known = new Set(nodes.map(({ metadata }) => metadata.name))
  return {
    nodes: nodes.map((node) => ({
      name: node.metadata.name,
      decision: decideNode(set, node),
      pods: byAge.filter((pod) => nodeOf(pod) === node.metadata.name),
    })),
    withoutNode: byAge.filter((pod) => !known.has(nodeOf(pod) ?? '')),
  }
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp)
}

/** Which Pods are missing, and which are too many: the set has one on each node that it wants. */
export function planPresence(
  nodes: readonly DaemonNode[],
  surging: ReadonlySet<string>,
  now: number,
): DaemonPlan {
  const create: string[] = []
  const remove: Pod[] = []
  const ended: Pod[] = []
  for (const { name, decision, pods } of nodes) {
    const there = pods.filter(({ metadata }) => !metadata.deletionTimestamp)
    if (!decision.stay) {
      remove.push(...there)
      continue
    }
    const over = there.filter(({ status }) => status.phase === 'Failed' || status.phase === 'Succeeded')
    ended.push(...over.filter((pod) => now - createdAt(pod) >= SHORTEST_LIFE))
    const running = there.filter((pod) => !over.includes(pod))
    if (!surging.has(name)) remove.push(...running.slice(1))
    // A Pod that is being deleted is replaced once it is gone.
    if (decision.run && pods.length === 0) create.push(name)
  }
  return { create, remove: [...remove, ...ended], ended }
}

/** Which nodes have a Pod of an old template beside a new one that takes its place, while the set surges. */
export function surgingNodes(nodes: readonly DaemonNode[], revision: string): Set<string> {
  const both = nodes.filter(
    ({ pods }) => pods.some((pod) => isOf(pod, revision)) && pods.some((pod) => !isOf(pod, revision)),
  )
  return new Set(both.map(({ name }) => name))
}

/** Which Pods of old templates are replaced now. */
export function planUpdate(
  set: DaemonSet,
  nodes: readonly DaemonNode[],
  revision: string,
  now: number,
): DaemonPlan {
  const nothing: DaemonPlan = { create: [], remove: [], ended: [] }
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {}
  if (type !== 'RollingUpdate') return nothing
  const wanted = nodes.filter(({ decision }) => decision.run)
  const surge = scaled(rollingUpdate?.maxSurge ?? 0, wanted.length)
  const isAvailable = (pod: Pod): boolean =>
    !pod.metadata.deletionTimestamp && availableIn(pod, set.spec.minReadySeconds ?? 0, now) === 0
  if (surge > 0) return planSurge(wanted, revision, surge, isAvailable)
  const most = Math.max(1, scaled(rollingUpdate?.maxUnavailable ?? 1, wanted.length))
  const outdated = wanted.flatMap(({ pods }) =>
    pods.filter((pod) => !isOf(pod, revision) && !pod.metadata.deletionTimestamp),
  )
  // A Pod that is not available is replaced at once.
  const idle = outdated.filter((pod) => !isAvailable(pod))
  const unavailable = wanted.filter(({ pods }) => !pods.some(isAvailable)).length
  const serving = outdated.filter(isAvailable).slice(0, Math.max(0, most - unavailable))
  return { ...nothing, remove: [...idle, ...serving] }
}

function planSurge(
  nodes: readonly DaemonNode[],
  revision: string,
  surge: number,
  isAvailable: (pod: Pod) => boolean,
): DaemonPlan {
  const create: string[] = []
  const remove: Pod[] = []
  let surging = surgingNodes(nodes, revision).size
  for (const { name, pods } of nodes) {
    const outdated = pods.filter((pod) => !isOf(pod, revision) && !pod.metadata.deletionTimestamp)
    const fresh = pods.filter((pod) => isOf(pod, revision))
    if (outdated.length === 0) continue
    if (!outdated.some(isAvailable) || fresh.some(isAvailable)) remove.push(...outdated)
    else if (fresh.length === 0 && surging < surge) {
      surging++
      create.push(name)
    }
  }
  return { create, remove, ended: [] }
}

/** Whether a Pod was made from the template of a revision. */
export function isOf({ metadata }: Pod, revision: string): boolean {
  return metadata.labels?.[REVISION_LABEL] === revision
}

/** A number of nodes, or a percentage of all of them, rounded up. */
function scaled(value: number | string, whole: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * whole) / 100)
}
