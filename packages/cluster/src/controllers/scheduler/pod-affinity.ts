import { labelSelectorFrom, matchesLabels, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'

type Term = DeepReadonly<CoreV1.PodAffinityTerm>

/** The state of the cluster for a scheduling decision. */
export interface SchedulingContext {
  readonly nodes: readonly Node[]
  readonly podsOn: (node: string) => readonly Pod[]
  readonly namespaceLabels: (namespace: string) => Readonly<Record<string, string>> | undefined
}

/** Why other Pods keep a Pod from a node, as kube-scheduler's message. */
export interface AffinityProblem {
  readonly reason: string
  /** Whether the node would suit if other Pods left it. */
  readonly passing: boolean
}

const AFFINITY_MISMATCH: AffinityProblem = {
  reason: "node(s) didn't match pod affinity rules",
  passing: false,
}
const ANTI_AFFINITY_MISMATCH: AffinityProblem = {
  reason: "node(s) didn't match pod anti-affinity rules",
  passing: true,
}
const EXISTING_ANTI_AFFINITY: AffinityProblem = {
  reason: "node(s) didn't satisfy existing pods anti-affinity rules",
  passing: true,
}

/** How many Pods there are in each domain, by a node's label: `topology.kubernetes.io/zone=a`. */
class DomainCounts {
  readonly #counts = new Map<string, number>()

  add({ metadata }: Node, key: string, weight = 1): void {
    const value = metadata.labels?.[key]
    if (value === undefined) return
    const domain = `${key}=${value}`
    this.#counts.set(domain, (this.#counts.get(domain) ?? 0) + weight)
  }

  /** Undefined where the node is in no domain. */
  at({ metadata }: Node, key: string): number | undefined {
    const value = metadata.labels?.[key]
    return value === undefined ? undefined : (this.#counts.get(`${key}=${value}`) ?? 0)
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }
}

/**
 * Finds out why the required affinity and anti-affinity of a Pod, or the anti-affinity of existing Pods, exclude a
 * node. `undefined` where no such rule applies to the Pod.
 */
export function affinityRules(
  pod: Pod,
  context: SchedulingContext,
): ((node: Node) => AffinityProblem | undefined) | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const affinityTerms = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const antiAffinityTerms = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const affinityCounts = new DomainCounts()
  const antiAffinityCounts = new DomainCounts()
  /** Domains of Pods whose anti-affinity selects this Pod. */
  const existingCounts = new DomainCounts()
  const existingKeys = new Set<string>()
  for (const { node, other } of placedPods(context)) {
    if (affinityTerms.length > 0 && affinityTerms.every((term) => selects(term, pod, other, context))) {
      for (const { topologyKey } of affinityTerms) affinityCounts.add(node, topologyKey)
    }
    for (const term of antiAffinityTerms) {
      if (selects(term, pod, other, context)) antiAffinityCounts.add(node, term.topologyKey)
    }
    const theirs = other.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    for (const term of theirs ?? []) {
      if (!selects(term, other, pod, context)) continue
      existingCounts.add(node, term.topologyKey)
      existingKeys.add(term.topologyKey)
    }
  }
  if (affinityTerms.length + antiAffinityTerms.length === 0 && existingCounts.isEmpty) return undefined
  // The first Pod of a group with affinity to itself finds no other Pod.
  const isFirst = affinityCounts.isEmpty && affinityTerms.every((term) => selects(term, pod, pod, context))
  return (node) => {
    const counts = affinityTerms.map(({ topologyKey }) => affinityCounts.at(node, topologyKey))
    if (counts.includes(undefined) || (!isFirst && counts.includes(0))) return AFFINITY_MISMATCH
    if (antiAffinityTerms.some(({ topologyKey }) => (antiAffinityCounts.at(node, topologyKey) ?? 0) > 0))
      return ANTI_AFFINITY_MISMATCH
    return [...existingKeys].some((key) => (existingCounts.at(node, key) ?? 0) > 0)
      ? EXISTING_ANTI_AFFINITY
      : undefined
  }
}

/** How much a Pod prefers a node for the Pods that are near it. Undefined where it has no such preferences. */
export function affinityPreference(
  pod: Pod,
  context: SchedulingContext,
): ((node: Node) => number) | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const weighted = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ weight, podAffinityTerm }) => ({ weight: -weight, podAffinityTerm }),
    ),
  ]
  if (weighted.length === 0) return undefined
  const counts = new DomainCounts()
  for (const { node, other } of placedPods(context)) {
    for (const { weight, podAffinityTerm: term } of weighted) {
      if (selects(term, pod, other, context)) counts.add(node, term.topologyKey, weight)
    }
  }
  const keys = new Set(weighted.map(({ podAffinityTerm }) => podAffinityTerm.topologyKey))
  return (node) => [...keys].reduce((sum, key) => sum + (counts.at(node, key) ?? 0), 0)
}

function* placedPods({ nodes, podsOn }: SchedulingContext): Generator<{ node: Node; other: Pod }> {
  for (const node of nodes) for (const other of podsOn(node.metadata.name)) yield { node, other }
}

/** Whether a term of one Pod is about another. */
function selects(term: Term, owner: Pod, other: Pod, { namespaceLabels }: SchedulingContext): boolean {
  const { namespace } = other.metadata
  return isInScope(term, owner, namespace, namespaceLabels) && matchesPod(term, owner, other)
}

function isInScope(
  { namespaces = [], namespaceSelector }: Term,
  owner: Pod,
  namespace: string,
  namespaceLabels: SchedulingContext['namespaceLabels'],
): boolean {
  if (namespaces.includes(namespace)) return true
  if (namespaceSelector)
    return matchesLabels(labelSelectorFrom(namespaceSelector), namespaceLabels(namespace))
  return namespaces.length === 0 && namespace === owner.metadata.namespace
}

function matchesPod(term: Term, owner: Pod, { metadata }: Pod): boolean {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term
  const own = owner.metadata.labels ?? {}
  const labels = metadata.labels ?? {}
  return (
    matchesLabels(labelSelectorFrom(labelSelector), labels) &&
    matchLabelKeys.every((key) => own[key] === undefined || labels[key] === own[key]) &&
    mismatchLabelKeys.every((key) => own[key] === undefined || labels[key] !== own[key])
  )
}
