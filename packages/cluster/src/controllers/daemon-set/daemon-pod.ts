import type { CreateOf } from '@homeostat/api'
import type { CoreV1, DaemonSet, Node, Pod } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import { isWantedNode } from '../scheduler/node-affinity.ts'
import { isClosed, untolerated } from '../scheduler/taints.ts'

/** The label by which the Pods of one template differ from those of another. */
export const REVISION_LABEL = 'controller-revision-hash'
const GENERATION_LABEL = 'pod-template-generation'
const GENERATION = 'deprecated.daemonset.template.generation'
const NODE_NAME = 'metadata.name'

/** The tolerations of every Pod of a DaemonSet. */
const TOLERATIONS: readonly CoreV1.Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]
const NO_NETWORK: CoreV1.Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
}

/** Whether a node should have a Pod of the set, and whether an existing one may stay. */
export interface NodeDecision {
  readonly run: boolean
  readonly stay: boolean
}

/** A Pod of the set for a node, as it is created. The scheduler puts it there. */
export function daemonPod(set: DaemonSet, node: string, revision: string): CreateOf<typeof Pod> {
  const { namespace, name, annotations } = set.metadata
  const { metadata, spec } = set.spec.template
  const generation = annotations?.[GENERATION]
  return {
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels: {
        ...metadata?.labels,
        [REVISION_LABEL]: revision,
        ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
      },
      ...(metadata?.annotations ? { annotations: { ...metadata.annotations } } : {}),
      ...(metadata?.finalizers ? { finalizers: [...metadata.finalizers] } : {}),
      ownerReferences: [controllerReference(set)],
    },
    spec: {
      ...(spec as CoreV1.PodSpec),
      affinity: onNode(spec?.affinity as CoreV1.Affinity | undefined, node),
      tolerations: tolerationsOf(set),
    },
  }
}

/** The node that a Pod of the set is on, or for which it was made. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const names = terms?.flatMap(({ matchFields = [] }) => matchFields).filter(({ key }) => key === NODE_NAME)
  return names?.[0]?.values?.[0]
}

/** Whether the set runs, or keeps, a Pod on a node. */
export function decideNode(set: DaemonSet, node: Node): NodeDecision {
  const spec = { ...set.spec.template.spec, tolerations: tolerationsOf(set) }
  const pod = { spec } as unknown as Pod
  if (!isWantedNode(pod, node)) return { run: false, stay: false }
  const open = !isClosed(pod, node) && untolerated(pod, node, ['NoSchedule', 'NoExecute']).length === 0
  return { run: open, stay: untolerated(pod, node, ['NoExecute']).length === 0 }
}

function tolerationsOf(set: DaemonSet): CoreV1.Toleration[] {
  const { tolerations = [], hostNetwork } = set.spec.template.spec ?? {}
  const own = [...TOLERATIONS, ...(hostNetwork ? [NO_NETWORK] : [])].filter(
    (wanted) => !tolerations.some(({ key, effect }) => key === wanted.key && effect === wanted.effect),
  )
  return [...(tolerations as readonly CoreV1.Toleration[]), ...own]
}

function onNode(affinity: CoreV1.Affinity | undefined, node: string): CoreV1.Affinity {
  const field: CoreV1.NodeSelectorRequirement = { key: NODE_NAME, operator: 'In', values: [node] }
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [
    {},
  ]
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((term) => ({
          ...term,
          matchFields: [field],
        })),
      },
    },
  }
}
