import { deepEqual } from '@homeostat/api'
import { type ServerObject, specOf } from '../../registry/index.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import { validateAppArmor } from '../pod-spec/validation/container-security.ts'

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

/** Copies a valid AppArmor profile of the deprecated annotation to its field. Warns unless a field says the same already. */
export function confineByAnnotation(pod: ServerObject, warn?: (message: string) => void): void {
  const spec = specOf(pod)
  if (objectOf(spec['os'])['name'] === 'windows') return
  const annotations = objectOf(pod.metadata.annotations)
  const own = objectOf(spec['securityContext'])['appArmorProfile']
  for (const kind of ['initContainers', 'containers']) {
    for (const container of listOf(spec[kind]).filter(isObject)) {
      const key = `${APP_ARMOR}${textOf(container['name'])}`
      const security = objectOf(container['securityContext'])
      if (!Object.hasOwn(annotations, key) || security['appArmorProfile'] !== undefined) continue
      const profile = profileOf(annotations[key])
      if (profile && deepEqual(profile, own)) continue
      warn?.(`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`)
      if (profile) container['securityContext'] = { ...security, appArmorProfile: profile }
    }
  }
}

/** The profile that an annotation names; undefined if it is not valid. */
function profileOf(annotation: unknown): JsonObject | undefined {
  const text = textOf(annotation ?? '')
  if (text === 'runtime/default') return { type: 'RuntimeDefault' }
  if (text === 'unconfined') return { type: 'Unconfined' }
  if (!text.startsWith('localhost/') || text === 'localhost/') return undefined
  const profile = { type: 'Localhost', localhostProfile: text.slice('localhost/'.length) }
  return validateAppArmor(profile, '').length === 0 ? profile : undefined
}
