import { labelSelectorFrom, matchesLabels, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'

type Term = DeepReadonly<CoreV1.PodAffinityTerm>

/** What surrounds a Pod that wants a node. */
export interface Surroundings {
  readonly nodes: readonly Node[]
  readonly podsOn: (node: string) => readonly Pod[]
  readonly namespaceLabels: (namespace: string) => Readonly<Record<string, string>> | undefined
}

/** Why other Pods keep a Pod from a node, in the words of a scheduler. */
export interface AffinityProblem {
  readonly reason: string
  /** Whether the node would do if other Pods left it. */
  readonly passing: boolean
}

const NO_COMPANY: AffinityProblem = { reason: "node(s) didn't match pod affinity rules", passing: false }
const UNWANTED: AffinityProblem = { reason: "node(s) didn't match pod anti-affinity rules", passing: true }
const REJECTED: AffinityProblem = {
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
 * Finds out what the required affinity and anti-affinity of a Pod, and the anti-affinity of Pods that are there, say
 * against a node. Undefined where no such rule is about the Pod at all.
 */
export function affinityRules(
  pod: Pod,
  surroundings: Surroundings,
): ((node: Node) => AffinityProblem | undefined) | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {}
  const wanted = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const unwanted = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const company = new DomainCounts()
  const avoided = new DomainCounts()
  /** Domains that Pods have to themselves, by the key of their term. */
  const rejecting = new DomainCounts()
  const rejectingKeys = new Set<string>()
  for (const { node, other } of placedPods(surroundings)) {
    if (wanted.length > 0 && wanted.every((term) => selects(term, pod, other, surroundings))) {
      for (const { topologyKey } of wanted) company.add(node, topologyKey)
    }
    for (const term of unwanted) {
      if (selects(term, pod, other, surroundings)) avoided.add(node, term.topologyKey)
    }
    const theirs = other.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution
    for (const term of theirs ?? []) {
      if (!selects(term, other, pod, surroundings)) continue
      rejecting.add(node, term.topologyKey)
      rejectingKeys.add(term.topologyKey)
    }
  }
  if (wanted.length + unwanted.length === 0 && rejecting.isEmpty) return undefined
  // The first Pod of a group that wants to be together has no company yet.
  const isFirst = company.isEmpty && wanted.every((term) => selects(term, pod, pod, surroundings))
  return (node) => {
    const counts = wanted.map(({ topologyKey }) => company.at(node, topologyKey))
    if (counts.includes(undefined) || (!isFirst && counts.includes(0))) return NO_COMPANY
    if (unwanted.some(({ topologyKey }) => (avoided.at(node, topologyKey) ?? 0) > 0)) return UNWANTED
    return [...rejectingKeys].some((key) => (rejecting.at(node, key) ?? 0) > 0) ? REJECTED : undefined
  }
}

/** How much a Pod prefers a node for the Pods that are near it. Undefined where it has no such preferences. */
export function affinityPreference(
  pod: Pod,
  surroundings: Surroundings,
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
  for (const { node, other } of placedPods(surroundings)) {
    for (const { weight, podAffinityTerm: term } of weighted) {
      if (selects(term, pod, other, surroundings)) counts.add(node, term.topologyKey, weight)
    }
  }
  const keys = new Set(weighted.map(({ podAffinityTerm }) => podAffinityTerm.topologyKey))
  return (node) => [...keys].reduce((sum, key) => sum + (counts.at(node, key) ?? 0), 0)
}

function* placedPods({ nodes, podsOn }: Surroundings): Generator<{ node: Node; other: Pod }> {
  for (const node of nodes) for (const other of podsOn(node.metadata.name)) yield { node, other }
}

/** Whether a term of one Pod is about another. */
function selects(term: Term, owner: Pod, other: Pod, { namespaceLabels }: Surroundings): boolean {
  const { namespace } = other.metadata
  return isInScope(term, owner, namespace, namespaceLabels) && matchesPod(term, owner, other)
}

function isInScope(
  { namespaces = [], namespaceSelector }: Term,
  owner: Pod,
  namespace: string,
  namespaceLabels: Surroundings['namespaceLabels'],
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
