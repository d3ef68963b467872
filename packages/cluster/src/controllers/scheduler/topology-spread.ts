import { labelSelectorFrom, matchesLabels, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'
import { isWantedNode } from './node-affinity.ts'
import type { AffinityProblem, SchedulingContext } from './pod-affinity.ts'
import { untolerated } from './taints.ts'

type Constraint = DeepReadonly<CoreV1.TopologySpreadConstraint>

/** How the Pods that a constraint selects are spread over the domains that count for it. */
interface Spread {
  readonly constraint: Constraint
  readonly counts: ReadonlyMap<string, number>
  readonly fewest: number
  /** 1 where the constraint selects the Pod itself. */
  readonly own: number
}

const SKEWED: AffinityProblem = {
  reason: "node(s) didn't match pod topology spread constraints",
  passing: true,
}
const NO_DOMAIN: AffinityProblem = {
  reason: "node(s) didn't match pod topology spread constraints (missing required label)",
  passing: false,
}

/**
 * Finds the reason by which constraints of a Pod exclude a node. Undefined where the Pod has no constraint that
 * must hold.
 */
export function spreadRules(
  pod: Pod,
  context: SchedulingContext,
): ((node: Node) => AffinityProblem | undefined) | undefined {
  const spreads = spreadsOf(pod, context, 'DoNotSchedule')
  if (spreads.length === 0) return undefined
  return (node) => {
    for (const { constraint, counts, fewest, own } of spreads) {
      const domain = node.metadata.labels?.[constraint.topologyKey]
      if (domain === undefined) return NO_DOMAIN
      if ((counts.get(domain) ?? 0) + own - fewest > constraint.maxSkew) return SKEWED
    }
    return undefined
  }
}

/** How many Pods there are in the domains of a node, by the constraints that may be violated: fewer is better. Undefined where the Pod has none. */
export function spreadScore(pod: Pod, context: SchedulingContext): ((node: Node) => number) | undefined {
  const spreads = spreadsOf(pod, context, 'ScheduleAnyway')
  if (spreads.length === 0) return undefined
  return (node) =>
    spreads.reduce((sum, { constraint, counts }) => {
      const domain = node.metadata.labels?.[constraint.topologyKey]
      return sum + (domain === undefined ? Number.MAX_SAFE_INTEGER / 1024 : (counts.get(domain) ?? 0))
    }, 0)
}

function spreadsOf(pod: Pod, { nodes, podsOn }: SchedulingContext, whenUnsatisfiable: string): Spread[] {
  const constraints = (pod.spec.topologySpreadConstraints ?? []).filter(
    (one) => one.whenUnsatisfiable === whenUnsatisfiable,
  )
  const labelled = nodes.filter(({ metadata }) =>
    constraints.every(({ topologyKey }) => metadata.labels?.[topologyKey] !== undefined),
  )
  return constraints.map((constraint) => {
    const counts = new Map<string, number>()
    for (const node of labelled.filter((one) => countsFor(constraint, pod, one))) {
      const domain = node.metadata.labels?.[constraint.topologyKey] ?? ''
      const selected = podsOn(node.metadata.name).filter((other) => selects(constraint, pod, other))
      counts.set(domain, (counts.get(domain) ?? 0) + selected.length)
    }
    const enough = counts.size >= (constraint.minDomains ?? 1)
    const fewest = enough && counts.size > 0 ? Math.min(...counts.values()) : 0
    return { constraint, counts, fewest, own: selects(constraint, pod, pod) ? 1 : 0 }
  })
}

/** Whether a node is one of those over which a Pod is spread. */
function countsFor({ nodeAffinityPolicy, nodeTaintsPolicy }: Constraint, pod: Pod, node: Node): boolean {
  if ((nodeAffinityPolicy ?? 'Honor') === 'Honor' && !isWantedNode(pod, node)) return false
  return nodeTaintsPolicy !== 'Honor' || untolerated(pod, node, ['NoSchedule', 'NoExecute']).length === 0
}

/** Whether a constraint of one Pod counts another. Pods that are being deleted do not count. */
function selects({ labelSelector, matchLabelKeys = [] }: Constraint, owner: Pod, other: Pod): boolean {
  if (other.metadata.deletionTimestamp || other.metadata.namespace !== owner.metadata.namespace) return false
  const own = owner.metadata.labels ?? {}
  const labels = other.metadata.labels ?? {}
  return (
    matchesLabels(labelSelectorFrom(labelSelector), labels) &&
    matchLabelKeys.every((key) => own[key] === undefined || labels[key] === own[key])
  )
}
