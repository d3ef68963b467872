import type { AdmissionPlugin } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf } from '../../registry/index.ts'
import { copyJson, type JsonObject, listOf, objectOf, setKey, textOf } from '../../schema/index.ts'
import { limitProblems, podResources, type Resources } from './limit-problems.ts'

const ANNOTATION = 'kubernetes.io/limit-ranger'

/** Sets the defaults of the namespace's LimitRanges on containers, and refuses objects that exceed their limits. */
export function limitRanger(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/pods', '/persistentvolumeclaims'],
    changes: ['CREATE'],
    admit({ operation, object, namespace = '', resource, subresource }) {
      if (operation !== 'CREATE' || !object || subresource !== undefined || resource.plural !== 'pods') return
      for (const limits of limitsIn(registry, namespace)) setDefaults(object, limits)
    },
    validate({ operation, object, oldObject, namespace = '', resource, subresource, refuse }) {
      const claim = resource.plural === 'persistentvolumeclaims'
      if (!object || subresource !== undefined || (operation === 'UPDATE' && !claim)) return
      if (oldObject?.metadata.deletionTimestamp) return
      for (const limits of limitsIn(registry, namespace)) {
        const problems = claim ? claimProblems(object, limits) : podProblems(object, limits)
        if (problems.length > 0)
          refuse(problems.length > 1 ? `[${problems.join(', ')}]` : (problems[0] ?? ''))
      }
    },
  }
}

/** The limits of each LimitRange of a namespace. */
function limitsIn(registry: Registry, namespace: string): JsonObject[][] {
  const ranges = registry.store.snapshot({ collection: '/limitranges', prefix: `${namespace}/` })
  return ranges.map(({ value }) => listOf(objectOf(value['spec'])['limits']).map(objectOf))
}

/** The amounts of a field of all limits; later limits take precedence. */
function merged(limits: readonly JsonObject[], field: string): JsonObject {
  const amounts: JsonObject = {}
  for (const limit of limits) {
    for (const [name, amount] of Object.entries(objectOf(limit[field]))) setKey(amounts, name, amount)
  }
  return amounts
}

function setDefaults(pod: ServerObject, limits: readonly JsonObject[]): void {
  const own = limits.filter((limit) => limit['type'] === 'Container')
  const defaults = {
    limits: merged(own, 'default'),
    requests: merged(own, 'defaultRequest'),
  }
  const notes: string[] = []
  const filled = (kind: string) => (container: unknown) =>
    withDefaults(objectOf(container), defaults, kind, notes)
  const spec = copyJson(specOf(pod))
  if (spec['containers'] !== undefined)
    spec['containers'] = listOf(spec['containers']).map(filled('container'))
  if (spec['initContainers'] !== undefined) {
    spec['initContainers'] = listOf(spec['initContainers']).map(filled('init container'))
  }
  if (notes.length === 0) return
  pod['spec'] = spec
  const annotations = {
    ...pod.metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}`,
  }
  pod.metadata.annotations = annotations
}

function withDefaults(
  container: JsonObject,
  defaults: { readonly limits: JsonObject; readonly requests: JsonObject },
  kind: string,
  notes: string[],
): JsonObject {
  const resources = objectOf(container['resources'])
  const changed: JsonObject = { ...resources }
  for (const [field, word] of [['requests', 'request'] as const, ['limits', 'limit'] as const]) {
    const given = objectOf(resources[field])
    const missing = Object.keys(defaults[field])
      .filter((name) => !Object.hasOwn(given, name))
      .sort()
    if (missing.length === 0) continue
    changed[field] = { ...given, ...Object.fromEntries(missing.map((name) => [name, defaults[field][name]])) }
    notes.push(`${missing.join(', ')} ${word} for ${kind} ${textOf(container['name'])}`)
  }
  return { ...container, resources: changed }
}

function podProblems(pod: ServerObject, limits: readonly JsonObject[]): string[] {
  const spec = specOf(pod)
  const containers = [...listOf(spec['containers']), ...listOf(spec['initContainers'])]
  return limits.flatMap((limit) => {
    if (limit['type'] === 'Pod') return limitProblems(limit, podResources(spec))
    if (limit['type'] !== 'Container') return []
    return containers.flatMap((container) => limitProblems(limit, resourcesOf(container)))
  })
}

function resourcesOf(container: unknown): Resources {
  const { requests, limits } = objectOf(objectOf(container)['resources'])
  return { requests: objectOf(requests), limits: objectOf(limits) }
}

function claimProblems(claim: ServerObject, limits: readonly JsonObject[]): string[] {
  const requests = objectOf(objectOf(specOf(claim)['resources'])['requests'])
  return limits
    .filter((limit) => limit['type'] === 'PersistentVolumeClaim')
    .flatMap((limit) => limitProblems(limit, { requests }))
}
