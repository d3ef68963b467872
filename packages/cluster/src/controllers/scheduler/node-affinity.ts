import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Node, PersistentVolume, Pod } from '@homeostat/api/kinds'

type Requirement = DeepReadonly<CoreV1.NodeSelectorRequirement>
type Term = DeepReadonly<CoreV1.NodeSelectorTerm>

/** Whether a node is among those that a Pod asks for, by its selector and by what its affinity requires. */
export function isWantedNode({ spec }: Pod, node: Node): boolean {
  const labels = node.metadata.labels ?? {}
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
  return selected && (!required || required.nodeSelectorTerms.some((term) => matchesTerm(term, node)))
}

/** Whether a volume can be used on a node. */
export function isUsableOn({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec.nodeAffinity?.required
  return !required || required.nodeSelectorTerms.some((term) => matchesTerm(term, node))
}

/** How much a Pod prefers a node. */
export function preferenceFor({ spec }: Pod, node: Node): number {
  const preferred = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return preferred
    .filter(({ preference }) => matchesTerm(preference, node))
    .reduce((sum, { weight }) => sum + weight, 0)
}

/** A term without any requirement matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: Term, { metadata }: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false
  const labels = metadata.labels ?? {}
  return (
    matchExpressions.every((requirement) => matches(requirement, labels[requirement.key])) &&
    matchFields.every(
      (requirement) => requirement.key === 'metadata.name' && matches(requirement, metadata.name),
    )
  )
}

function matches({ operator, values = [] }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return isWhole(value) && isWhole(values[0]) && BigInt(value) > BigInt(values[0])
    case 'Lt':
      return isWhole(value) && isWhole(values[0]) && BigInt(value) < BigInt(values[0])
    default:
      return false
  }
}

function isWhole(text: string | undefined): text is string {
  return text !== undefined && /^-?\d+$/.test(text)
}
