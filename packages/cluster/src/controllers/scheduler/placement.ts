import type { Node, Pod } from '@homeostat/api/kinds'
import { portsClash } from './host-ports.ts'
import { isWantedNode, preferenceFor } from './node-affinity.ts'
import {
  affinityPreference,
  affinityRules,
  type AffinityProblem,
  type SchedulingContext,
} from './pod-affinity.ts'
import { amountsOf, podRequests, type Amounts } from './resources.ts'
import { isClosed, untolerated } from './taints.ts'
import { spreadScore, spreadRules } from './topology-spread.ts'

/** Where a Pod can run, or why it cannot, as kube-scheduler's message. */
export type Placement = { readonly node: string } | { readonly reason: string }

/** Why a Pod cannot run on a node. */
interface Obstacle {
  readonly reasons: readonly string[]
  /** Whether the node would suit if other Pods left it. */
  readonly passing: boolean
}

/** How volumes keep a Pod from nodes. */
export interface VolumeProblems {
  /** Why the Pod cannot run on any node. */
  readonly everywhere?: string | undefined
  /** Whether a claim that waits for a node would find no volume there. */
  readonly none?: boolean | undefined
  /** Whether the volumes of the Pod can be used on a node. Default: on each. */
  readonly usableOn?: ((node: Node) => boolean) | undefined
}

const NO_VOLUMES: Obstacle = {
  reasons: ["node(s) didn't find available persistent volumes to bind"],
  passing: false,
}

const OTHER_NODE: Obstacle = {
  reasons: ["node(s) didn't match PersistentVolume's node affinity"],
  passing: false,
}
const NO_DEVICES =
  'this cluster does not allocate devices, which the Pod claims by spec.resourceClaims: remove the claims'

/** Chooses a node among those that suit: a preferred node, otherwise the node with the fewest Pods. */
export function place(
  pod: Pod,
  nodes: readonly Node[],
  podsOn: (node: string) => readonly Pod[],
  volumes: VolumeProblems = {},
  requestsOf: (pod: Pod) => Amounts = podRequests,
  namespaceLabels: SchedulingContext['namespaceLabels'] = () => undefined,
): Placement {
  if (nodes.length === 0) return { reason: 'no nodes available to schedule pods' }
  const none = `0/${nodes.length} nodes are available:`
  if ((pod.spec.resourceClaims ?? []).length > 0) return { reason: `${none} ${NO_DEVICES}.` }
  if (volumes.everywhere !== undefined) return { reason: `${none} ${volumes.everywhere}. not found` }
  const context = { nodes, podsOn, namespaceLabels }
  const spread = spreadRules(pod, context)
  const affinity = affinityRules(pod, context)
  const obstacles = new Map<Node, Obstacle>()
  const requests = requestsOf(pod)
  for (const node of nodes) {
    const obstacle =
      obstacleAt(pod, node, podsOn(node.metadata.name), requests, requestsOf) ??
      volumeObstacle(volumes, node) ??
      asObstacle(spread?.(node) ?? affinity?.(node))
    if (obstacle) obstacles.set(node, obstacle)
  }
  const suitable = nodes.filter((node) => !obstacles.has(node))
  if (suitable.length > 0) return { node: bestOf(pod, suitable, context).metadata.name }
  const why = histogram([...obstacles.values()].flatMap(({ reasons }) => reasons))
  const preemption = preemptionText(pod, obstacles, podsOn)
  return { reason: `${none} ${why}. no new claims to deallocate, preemption: ${preemption}.` }
}

/**
 * Whether other Pods could be preempted for this one. The cluster never preempts, but reports where Kubernetes
 * would.
 */
function preemptionText(
  pod: Pod,
  obstacles: ReadonlyMap<Node, Obstacle>,
  podsOn: (node: string) => readonly Pod[],
): string {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never'
  const texts = [...obstacles].map(([node, { passing }]) => {
    if (!passing) return 'Preemption is not helpful for scheduling'
    const isLower = (other: Pod): boolean => (other.spec.priority ?? 0) < (pod.spec.priority ?? 0)
    return podsOn(node.metadata.name).some(isLower)
      ? 'Preemption is not supported by this cluster'
      : 'No preemption victims found for incoming pod'
  })
  return `0/${obstacles.size} nodes are available: ${histogram(texts)}`
}

function volumeObstacle({ none, usableOn }: VolumeProblems, node: Node): Obstacle | undefined {
  if (none) return NO_VOLUMES
  return usableOn?.(node) === false ? OTHER_NODE : undefined
}

function asObstacle(problem: AffinityProblem | undefined): Obstacle | undefined {
  return problem && { reasons: [problem.reason], passing: problem.passing }
}

/** The first reason against a node, in the order in which kube-scheduler checks. */
function obstacleAt(
  pod: Pod,
  node: Node,
  pods: readonly Pod[],
  requests: Amounts,
  requestsOf: (pod: Pod) => Amounts,
): Obstacle | undefined {
  const lasting = (reason: string): Obstacle => ({ reasons: [reason], passing: false })
  if (isClosed(pod, node)) return lasting('node(s) were unschedulable')
  if (untolerated(pod, node, ['NoSchedule', 'NoExecute']).length > 0) {
    return lasting('node(s) had untolerated taint(s)')
  }
  if (!isWantedNode(pod, node)) return lasting("node(s) didn't match Pod's node affinity/selector")
  if (portsClash(pod, pods)) {
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], passing: true }
  }
  return shortage(requests, node, pods, requestsOf)
}

function shortage(
  requests: Amounts,
  { status }: Node,
  pods: readonly Pod[],
  requestsOf: (pod: Pod) => Amounts,
): Obstacle | undefined {
  const allocatable = amountsOf(status.allocatable)
  const reasons: string[] = []
  let passing = true
  const most = Number(status.allocatable?.['pods'] ?? 0)
  if (pods.length + 1 > most) reasons.push('Too many pods')
  for (const [name, wanted] of requests) {
    if (wanted === 0n) continue
    const there = allocatable.get(name) ?? 0n
    const taken = pods.reduce((sum, pod) => sum + (requestsOf(pod).get(name) ?? 0n), 0n)
    if (wanted + taken <= there) continue
    reasons.push(`Insufficient ${name}`)
    if (wanted > there) passing = false
  }
  return reasons.length === 0 ? undefined : { reasons, passing }
}

function bestOf(pod: Pod, nodes: readonly Node[], context: SchedulingContext): Node {
  const unwelcome = (node: Node): number => untolerated(pod, node, ['PreferNoSchedule']).length
  const affinity = affinityPreference(pod, context) ?? (() => 0)
  const spread = spreadScore(pod, context) ?? (() => 0)
  const preference = (node: Node): number => preferenceFor(pod, node) + affinity(node)
  const podsOn = ({ metadata }: Node): number => context.podsOn(metadata.name).length
  const [first, ...others] = nodes
  return others.reduce((best, node) => {
    const order =
      unwelcome(node) - unwelcome(best) ||
      preference(best) - preference(node) ||
      spread(node) - spread(best) ||
      podsOn(node) - podsOn(best) ||
      (node.metadata.name < best.metadata.name ? -1 : 1)
    return order < 0 ? node : best
  }, first as Node)
}

/** The reasons with their counts: `1 Insufficient cpu, 2 node(s) were unschedulable`. */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join(', ')
}
