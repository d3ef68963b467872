import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf } from '../../registry/index.ts'
import {
  copyJson,
  equalJson,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  quote,
  textOf,
  wasSentEmpty,
} from '../../schema/index.ts'

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
const UNDEFINED = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'

/** Gives a Pod the overhead of its RuntimeClass, and puts it on the nodes that have that runtime. */
export function runtimeClassAdmission(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/pods'],
    changes: ['CREATE'],
    admit(request) {
      const { operation, object, subresource, refuse } = request
      if (operation !== 'CREATE' || !object || subresource !== undefined) return
      const spec = specOf(object)
      const name = textOf(spec['runtimeClassName'])
      const stored = name === '' ? undefined : registry.store.get('node.k8s.io/runtimeclasses', name)
      if (name !== '' && !stored) refuse(`pod rejected: RuntimeClass ${quote(name)} not found`)
      // Stored objects are frozen.
      const { overhead, scheduling } = objectOf(copyJson(stored?.value))
      setOverhead(request, object, isObject(overhead) ? objectOf(overhead['podFixed']) : undefined)
      if (isObject(scheduling)) setScheduling(request, object, scheduling)
    },
    validate({ operation, object, subresource, refuse }) {
      if (operation !== 'CREATE' || !object || subresource !== undefined) return
      const spec = specOf(object)
      const { overhead, runtimeClassName } = spec
      const isSet = overhead !== undefined || wasSentEmpty(spec, 'overhead')
      const stored = registry.store.get('node.k8s.io/runtimeclasses', textOf(runtimeClassName))
      if (isSet && !isObject(stored?.value['overhead'])) refuse(UNDEFINED)
    },
  }
}

function setOverhead({ refuse }: AdmissionRequest, pod: ServerObject, fixed: JsonObject | undefined): void {
  const spec = specOf(pod)
  const given = objectOf(spec['overhead'])
  if (!fixed) return
  if (Object.keys(given).length > 0 && !equalJson(given, fixed)) refuse(MISMATCH)
  pod['spec'] = { ...spec, overhead: { ...fixed } }
}

function setScheduling({ refuse }: AdmissionRequest, pod: ServerObject, scheduling: JsonObject): void {
  const spec = specOf(pod)
  const selector = objectOf(spec['nodeSelector'])
  for (const [key, value] of Object.entries(objectOf(scheduling['nodeSelector']))) {
    const own = selector[key]
    if (own === undefined || own === value) continue
    const at = `nodeSelector[${key}]`
    refuse(`conflict: runtimeClass.scheduling.${at} = ${textOf(value)}; pod.spec.${at} = ${textOf(own)}`)
  }
  const nodeSelector = { ...selector, ...objectOf(scheduling['nodeSelector']) }
  const tolerations = mergeTolerations([...listOf(spec['tolerations']), ...listOf(scheduling['tolerations'])])
  pod['spec'] = {
    ...spec,
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(tolerations.length > 0 && { tolerations }),
  }
}

/** The tolerations that no other one covers; of equal ones, the first. */
function mergeTolerations(all: readonly unknown[]): JsonObject[] {
  const merged: JsonObject[] = []
  for (const [index, one] of all.map(objectOf).entries()) {
    const later = all.slice(index + 1).map(objectOf)
    const needless =
      merged.some((other) => covers(other, one)) ||
      later.some((other) => !equalJson(other, one) && covers(other, one))
    if (!needless) merged.push(one)
  }
  return merged
}

function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true
  const anyKey = !wide['key'] && wide['operator'] === 'Exists'
  if ((wide['key'] ?? '') !== (narrow['key'] ?? '') && !anyKey) return false
  if (wide['effect'] && wide['effect'] !== narrow['effect']) return false
  const [most, asked] = [wide['tolerationSeconds'], narrow['tolerationSeconds']]
  if (wide['effect'] === 'NoExecute' && most !== undefined) {
    if (asked === undefined || Number(asked) > Number(most)) return false
  }
  if (wide['operator'] === 'Exists') return true
  return narrow['operator'] === 'Equal' && (narrow['value'] ?? '') === (wide['value'] ?? '')
}
