import { type ServerObject, specOf } from '../../registry/index.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'

/** The condition of a Pod that waits behind a scheduling gate. */
export function gatedCondition(now: string): JsonObject {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
}

/** Adds the Pod's own values of `matchLabelKeys` and `mismatchLabelKeys` to the label selectors. */
export function mergeLabelKeys(pod: ServerObject): void {
  const spec = specOf(pod)
  const labels = objectOf(pod.metadata.labels)
  const { podAffinity, podAntiAffinity } = objectOf(spec['affinity'])
  for (const affinity of [podAffinity, podAntiAffinity].filter(isObject)) {
    for (const term of listOf(affinity['preferredDuringSchedulingIgnoredDuringExecution'])) {
      mergeInto(objectOf(objectOf(term)['podAffinityTerm']), labels)
    }
    for (const term of listOf(affinity['requiredDuringSchedulingIgnoredDuringExecution'])) {
      mergeInto(objectOf(term), labels)
    }
  }
  for (const constraint of listOf(spec['topologySpreadConstraints'])) mergeInto(objectOf(constraint), labels)
}

function mergeInto(term: JsonObject, labels: JsonObject): void {
  const { labelSelector } = term
  if (!isObject(labelSelector)) return
  for (const [name, operator] of [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ] as const) {
    for (const key of listOf(term[name]).map(textOf)) {
      if (!Object.hasOwn(labels, key)) continue
      const expression = { key, operator, values: [labels[key]] }
      labelSelector['matchExpressions'] = [...listOf(labelSelector['matchExpressions']), expression]
    }
  }
}

const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/'

/** Copies the AppArmor profile of the deprecated annotation to its field. */
export function confineByAnnotation(pod: ServerObject): void {
  const spec = specOf(pod)
  if (objectOf(spec['os'])['name'] === 'windows') return
  const own = objectOf(objectOf(spec['securityContext'])['appArmorProfile'])['type']
  for (const kind of ['initContainers', 'containers']) {
    for (const container of listOf(spec[kind]).filter(isObject)) {
      const profile = profileOf(
        objectOf(pod.metadata.annotations)[`${APP_ARMOR}${textOf(container['name'])}`],
      )
      const security = objectOf(container['securityContext'])
      if (!profile || security['appArmorProfile'] !== undefined || profile['type'] === own) continue
      container['securityContext'] = { ...security, appArmorProfile: profile }
    }
  }
}

function profileOf(annotation: unknown): JsonObject | undefined {
  const text = textOf(annotation ?? '')
  if (text === 'runtime/default') return { type: 'RuntimeDefault' }
  if (text === 'unconfined') return { type: 'Unconfined' }
  if (!text.startsWith('localhost/') || text === 'localhost/') return undefined
  return { type: 'Localhost', localhostProfile: text.slice('localhost/'.length) }
}
