import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'
import type { DeepReadonly } from '@homeostat/api'
import { findCondition } from '@homeostat/api'

/** Where a Pod can run, or why it cannot, in the words of a scheduler. */
export type Placement = { readonly node: string } | { readonly reason: string }

/** Chooses a node: the one with the fewest Pods among those that suit. */
export function place(pod: Pod, nodes: readonly Node[], podsOn: (node: string) => number): Placement {
  const reasons = new Map<string, number>()
  const suitable = nodes.filter((node) => {
    const reason = obstacle(pod, node)
    if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    return reason === undefined
  })
  const [best] = [...suitable].sort(
    (a, b) =>
      podsOn(a.metadata.name) - podsOn(b.metadata.name) || (a.metadata.name < b.metadata.name ? -1 : 1),
  )
  if (best) return { node: best.metadata.name }
  const why = [...reasons].map(([reason, count]) => `${count} ${reason}`).sort((a, b) => (a < b ? -1 : 1))
  const end = why.length > 0 ? `: ${why.join(', ')}.` : '.'
  return {
    reason:
      nodes.length === 0
        ? 'no nodes available to schedule pods'
        : `0/${nodes.length} nodes are available${end}`,
  }
}

function obstacle(pod: Pod, node: Node): string | undefined {
  if (node.spec.unschedulable) return 'node(s) were unschedulable'
  if (findCondition(node.status.conditions, 'Ready')?.status !== 'True') return 'node(s) were not ready'
  const labels = node.metadata.labels ?? {}
  const selector = Object.entries(pod.spec.nodeSelector ?? {})
  if (selector.some(([key, value]) => labels[key] !== value)) {
    return "node(s) didn't match Pod's node affinity/selector"
  }
  const taint = node.spec.taints?.find(
    ({ effect, ...taint }) => effect !== 'PreferNoSchedule' && !tolerates(pod, { ...taint, effect }),
  )
  return taint && `node(s) had untolerated taint(s)`
}

function tolerates(pod: Pod, taint: DeepReadonly<CoreV1.Taint>): boolean {
  return (pod.spec.tolerations ?? []).some(
    (toleration) =>
      (!toleration.effect || toleration.effect === taint.effect) &&
      (!toleration.key || toleration.key === taint.key) &&
      (toleration.operator === 'Exists' || (toleration.value ?? '') === (taint.value ?? '')),
  )
}
