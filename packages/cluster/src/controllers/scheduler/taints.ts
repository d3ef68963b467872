import { findCondition, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'

type Taint = DeepReadonly<CoreV1.Taint>
type Toleration = DeepReadonly<CoreV1.Toleration>

/** The taint that an unschedulable node is treated as having. */
const CLOSED: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Whether a node is unschedulable, and the Pod does not tolerate that. */
export function isClosed(pod: Pod, { spec }: Node): boolean {
  return spec.unschedulable === true && !tolerates(pod, CLOSED)
}

/**
 * The taints of a node that a Pod does not tolerate and that exclude it from the node, or with `PreferNoSchedule`
 * make the node less preferred.
 */
export function untolerated(pod: Pod, node: Node, effects: readonly string[]): readonly Taint[] {
  return taintsOf(node).filter((taint) => effects.includes(taint.effect) && !tolerates(pod, taint))
}

/** A node that is not ready counts as tainted, as by the node lifecycle controller. */
function taintsOf({ spec, status }: Node): readonly Taint[] {
  const taints = spec.taints ?? []
  const ready = findCondition(status.conditions, 'Ready')?.status
  if (ready === 'True') return taints
  const key = `node.kubernetes.io/${ready === 'Unknown' ? 'unreachable' : 'not-ready'}`
  return [...taints.filter((taint) => taint.key !== key), { key, effect: 'NoSchedule' }]
}

/**
 * For how many seconds a Pod stays on a node with `NoExecute` taints: 0 where it does not tolerate all of them, and
 * `Infinity` where no toleration ends.
 */
export function toleratedSeconds(pod: Pod, taints: readonly Taint[]): number {
  const used = taints.map((taint) =>
    (pod.spec.tolerations ?? []).filter((one) => tolerationMatches(one, taint)),
  )
  if (used.some((tolerations) => tolerations.length === 0)) return 0
  const limits = used.flat().flatMap(({ tolerationSeconds }) => tolerationSeconds ?? [])
  return Math.max(0, Math.min(Infinity, ...limits))
}

function tolerates({ spec }: Pod, taint: Taint): boolean {
  return (spec.tolerations ?? []).some((toleration) => tolerationMatches(toleration, taint))
}

function tolerationMatches({ effect, key, operator, value }: Toleration, taint: Taint): boolean {
  if ((effect && effect !== taint.effect) || (key && key !== taint.key)) return false
  if (operator === 'Exists') return true
  return (operator ?? 'Equal') === 'Equal' && Boolean(key) && (value ?? '') === (taint.value ?? '')
}
