import type { CreateOf } from '@homeostat/api'
import type { StatefulSet, PersistentVolumeClaim, Pod } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'

/** The label with a Pod's own name: a Service can select one Pod by it. */
const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name'
const POD_INDEX_LABEL = 'apps.kubernetes.io/pod-index'
/** The label that says by which revision of the template a Pod was made. */
const REVISION_LABEL = 'controller-revision-hash'

type Template = StatefulSet['spec']['template']
type Volume = NonNullable<Pod['spec']['volumes']>[number]

/** The ordinal at the end of a Pod's name; `undefined` where the name is not one of the set's Pods. */
export function ordinalOf(set: StatefulSet, pod: Pick<Pod, 'metadata'>): number | undefined {
  const [, parent, digits] = /^(.*)-([0-9]+)$/.exec(pod.metadata.name) ?? []
  const ordinal = Number(digits)
  return parent === set.metadata.name && ordinal <= 2_147_483_647 ? ordinal : undefined
}

/** How many Pods a StatefulSet wants. */
export function replicasOf(set: StatefulSet): number {
  return set.spec.replicas ?? 1
}

/** The ordinal of the first Pod. */
export function startOf(set: StatefulSet): number {
  return set.spec.ordinals?.start ?? 0
}

/** Whether a Pod of this ordinal is wanted. */
export function isWanted(set: StatefulSet, ordinal: number): boolean {
  return ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set)
}

/** The revision by which a Pod was made; empty where it does not say. */
export function revisionOf(pod: Pick<Pod, 'metadata'>): string {
  return pod.metadata.labels?.[REVISION_LABEL] ?? ''
}

/** A Pod of the set, as it is created. */
export function newPod(
  set: StatefulSet,
  template: Template,
  revision: string,
  ordinal: number,
): CreateOf<typeof Pod> {
  const { namespace, name } = set.metadata
  const { metadata } = template
  const podName = `${name}-${ordinal}`
  return {
    metadata: {
      namespace,
      name: podName,
      generateName: `${name}-`,
      labels: { ...metadata?.labels, ...identityLabels(podName, ordinal), [REVISION_LABEL]: revision },
      ...(metadata?.annotations ? { annotations: { ...metadata.annotations } } : {}),
      ...(metadata?.finalizers ? { finalizers: [...metadata.finalizers] } : {}),
      ownerReferences: [controllerReference(set)],
    },
    spec: {
      ...template.spec,
      containers: template.spec?.containers ?? [],
      hostname: podName,
      ...(set.spec.serviceName ? { subdomain: set.spec.serviceName } : {}),
      volumes: volumesOf(set, template.spec?.volumes ?? [], ordinal),
    },
  }
}

/** Whether a Pod has the labels and volumes that its place in the set gives it. */
export function fitsPlace(set: StatefulSet, pod: Pod, ordinal: number): boolean {
  const { name, labels } = pod.metadata
  return labels?.[POD_NAME_LABEL] === name && hasStorage(set, pod, ordinal)
}

/** Whether the volumes of a Pod are the claims of its place. */
export function hasStorage(set: StatefulSet, pod: Pod, ordinal: number): boolean {
  return (set.spec.volumeClaimTemplates ?? []).every((template) => {
    const volume = pod.spec.volumes?.find(({ name }) => name === template.metadata?.name)
    return volume?.persistentVolumeClaim?.claimName === claimName(set, template, ordinal)
  })
}

/** The Pod with the labels and volumes that its place in the set gives it. */
export function inPlace(set: StatefulSet, pod: Pod, ordinal: number): Pod {
  const labels = { ...pod.metadata.labels, ...identityLabels(pod.metadata.name, ordinal) }
  const spec = hasStorage(set, pod, ordinal)
    ? pod.spec
    : { ...pod.spec, volumes: volumesOf(set, pod.spec.volumes ?? [], ordinal) }
  return { ...pod, metadata: { ...pod.metadata, labels }, spec }
}

/** The claims to create for the Pod with this ordinal: one for each template. */
export function claimsOf(
  set: StatefulSet,
  ordinal: number,
): (CreateOf<typeof PersistentVolumeClaim> & { metadata: { name: string } })[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { metadata, spec } = template
    return {
      metadata: {
        namespace: set.metadata.namespace,
        name: claimName(set, template, ordinal),
        labels: { ...metadata?.labels, ...set.spec.selector.matchLabels },
        ...(metadata?.annotations ? { annotations: { ...metadata.annotations } } : {}),
        ...(metadata?.finalizers ? { finalizers: [...metadata.finalizers] } : {}),
      },
      spec: spec ?? {},
    }
  })
}

function claimName(
  set: StatefulSet,
  template: { readonly metadata?: { readonly name?: string | undefined } | undefined },
  ordinal: number,
): string {
  return `${template.metadata?.name}-${set.metadata.name}-${ordinal}`
}

function identityLabels(name: string, ordinal: number): Record<string, string> {
  return { [POD_NAME_LABEL]: name, [POD_INDEX_LABEL]: String(ordinal) }
}

/** The claims first, then the Pod's own volumes; a claim takes the place of a volume of its name. */
function volumesOf(set: StatefulSet, own: readonly Volume[], ordinal: number): Volume[] {
  const templates = set.spec.volumeClaimTemplates ?? []
  const names = new Set(templates.map(({ metadata }) => metadata?.name))
  return [
    ...templates.map((template) => ({
      name: template.metadata?.name ?? '',
      persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
    })),
    ...own.filter(({ name }) => !names.has(name)),
  ]
}
