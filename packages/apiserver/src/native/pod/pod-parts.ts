import type { KindPart } from '../../registry/index.ts'
import { eachObject, objectsIn } from '../../checks/index.ts'
import {
  copyJson,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { qualityOfService } from './quality-of-service.ts'

const KEPT_METADATA = [
  'selfLink',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
]
const MIRROR = 'kubernetes.io/config.mirror'

/** `pods/ephemeralcontainers`, which adds containers to a running Pod. They cannot be removed. */
export const ephemeralContainers: KindPart = {
  prepare(pod, old) {
    const { ephemeralContainers: containers } = objectOf(pod['spec'])
    keepOthers(pod, old, { ephemeralContainers: containers })
  },
  validate(pod, old) {
    if (isMirror(old)) return [forbiddenValue('[]', 'static pods do not support ephemeral containers')]
    const containers = objectsIn(objectOf(pod['spec'])['ephemeralContainers'])
    return objectsIn(objectOf(old['spec'])['ephemeralContainers']).flatMap((before) => {
      const name = JSON.stringify(textOf(before['name']))
      const now = containers.find((one) => one['name'] === before['name'])
      if (now && equalJson(now, before)) return []
      const what = now ? 'changed' : 'removed'
      const detail = `existing ephemeral containers ${name} may not be ${what}\n`
      return [forbiddenValue('spec.ephemeralContainers', detail)]
    })
  },
  replaces: isMirror,
}

/** `pods/resize`, which changes the resources of running containers. */
export const resize: KindPart = resizeWith(initErrors)

/** `pods/resize` with other checks of init containers. */
export function resizeWith(checkInit: (spec: JsonObject, before: JsonObject) => FieldError[]): KindPart {
  return {
    prepare(pod, old) {
      const [spec, before] = [objectOf(pod['spec']), objectOf(old['spec'])]
      const kinds = ['containers', 'initContainers']
      if (kinds.some((kind) => listOf(spec[kind]).length !== listOf(before[kind]).length)) return
      keepOthers(pod, old, {
        resources: spec['resources'],
        containers: resized(spec['containers'], before['containers']),
        initContainers: resized(spec['initContainers'], before['initContainers']),
      })
    },
    validate(pod, old) {
      if (isMirror(old)) return [forbiddenValue('[]', 'static pods cannot be resized')]
      if (isWindows(old)) return [forbiddenValue('[]', 'windows pods cannot be resized')]
      const [spec, before] = [objectOf(pod['spec']), objectOf(old['spec'])]
      const errors = [...qualityErrors(pod, old), ...podResourceErrors(spec, before)]
      const order = orderErrors(spec, before)
      if (order.length > 0) return [...errors, ...order]
      addAll(errors, removedErrors(spec, before, 'initContainers'), removedErrors(spec, before, 'containers'))
      for (const [index, container] of objectsIn(spec['containers']).entries()) {
        if (sameBut(container, objectsIn(before['containers'])[index] ?? {})) continue
        errors.push(forbiddenValue('spec', 'only cpu and memory resources are mutable'))
      }
      return [...errors, ...checkInit(spec, before)]
    },
    replaces: (old) => isMirror(old) || isWindows(old),
  }
}

function isMirror(pod: JsonObject): boolean {
  return objectOf(objectOf(pod['metadata'])['annotations'])[MIRROR] !== undefined
}

function isWindows(pod: JsonObject): boolean {
  return objectOf(objectOf(pod['spec'])['os'])['name'] === 'windows'
}

/** The old Pod with some fields of the new spec. */
function keepOthers(pod: JsonObject, old: JsonObject, changed: JsonObject): void {
  const spec: JsonObject = { ...copyJson(objectOf(old['spec'])), ...changed }
  for (const [name, value] of Object.entries(spec)) if (value === undefined) delete spec[name]
  const metadata = objectOf(pod['metadata'])
  const before = objectOf(old['metadata'])
  for (const name of KEPT_METADATA) {
    if (before[name] === undefined) delete metadata[name]
    else metadata[name] = copyJson(before[name])
  }
  pod['spec'] = spec
  pod['status'] = copyJson(old['status'])
}

/** The old containers with their new resources; the new containers, where their names differ. */
function resized(containers: unknown, old: unknown): unknown {
  const now = objectsIn(containers)
  const before = objectsIn(old)
  if (now.some(({ name }, index) => name !== before[index]?.['name'])) return containers
  if (now.length === 0) return containers
  return now.map(({ resources, resizePolicy }, index) => {
    const { resources: _, resizePolicy: __, ...others } = copyJson(before[index] ?? {})
    return {
      ...others,
      ...(resources !== undefined && { resources }),
      ...(resizePolicy !== undefined && { resizePolicy }),
    }
  })
}

function qualityErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const { qosClass, containerStatuses } = objectOf(old['status'])
  if ((qosClass ?? qualityOfService(objectOf(old['spec']))) !== qualityOfService(objectOf(pod['spec']))) {
    const detail = 'Pod QOS Class may not change as a result of resizing'
    errors.push(invalidValue('spec', objectOf(pod['status'])['qosClass'] ?? '', detail))
  }
  const running = objectsIn(containerStatuses).find(({ state }) => isObject(objectOf(state)['running']))
  if (running && !isObject(running['resources'])) {
    errors.push(forbiddenValue('spec', 'Pod running on node without support for resize'))
  }
  return errors
}

function podResourceErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, old] = [spec['resources'], before['resources']]
  const isSet = (resources: unknown): boolean =>
    ['requests', 'limits'].some((name) => Object.keys(objectOf(objectOf(resources)[name])).length > 0)
  if (!isSet(now) && !isSet(old)) return []
  if (isObject(old) && !isObject(now)) {
    return [forbiddenValue('spec.resources', 'pod-level resources cannot be removed')]
  }
  const errors = isObject(old) ? removed(now, old, 'spec.resources', 'pod-level resource') : []
  if (equalJson(fixedResources(now), fixedResources(old))) return errors
  return [...errors, forbiddenValue('spec', 'only cpu and memory resources are mutable at pod-level')]
}

function orderErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  return ['containers', 'initContainers'].flatMap((kind) => {
    const old = objectsIn(before[kind])
    if (listOf(spec[kind]).length !== old.length) {
      return [forbiddenValue(`spec.${kind}`, `${kind} may not be added or removed on resize`)]
    }
    return eachObject(spec[kind], `spec.${kind}`, ({ name }, at) => {
      const index = Number(/\d+(?=\]$)/.exec(at)?.[0])
      if (name === old[index]?.['name']) return []
      return [forbiddenValue(`${at}.name`, `${kind} may not be renamed or reordered on resize`)]
    })
  })
}

function removedErrors(spec: JsonObject, before: JsonObject, kind: string): FieldError[] {
  const now = objectsIn(spec[kind])
  return objectsIn(before[kind]).flatMap(({ resources }, index) =>
    removed(now[index]?.['resources'], resources, `spec.${kind}[${index}].resources`, 'resource'),
  )
}

function removed(now: unknown, old: unknown, field: string, what: string): FieldError[] {
  return ['requests', 'limits'].flatMap((part) => {
    const [list, before] = [objectOf(objectOf(now)[part]), objectOf(objectOf(old)[part])]
    if (Object.keys(before).every((name) => Object.hasOwn(list, name))) return []
    return [forbiddenValue(`${field}.${part}`, `${what} ${part} cannot be removed`)]
  })
}

function initErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const old = objectsIn(before['initContainers'])
  return objectsIn(spec['initContainers']).flatMap((container, index) => {
    const at = `spec.initContainers[${index}]`
    const was = old[index] ?? {}
    const errors: FieldError[] = []
    if (!sameBut(container, was)) {
      const detail = 'only cpu and memory resources for init or sidecar containers are mutable'
      errors.push(forbiddenValue(at, detail))
    }
    if (container['restartPolicy'] === 'Always' || equalJson(container, was)) return errors
    for (const { restartPolicy } of objectsIn(container['resizePolicy'])) {
      if (restartPolicy !== 'RestartContainer') continue
      const detail = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'
      errors.push(forbiddenValue(at, detail))
    }
    return errors
  })
}

/** Whether two containers differ in nothing but CPU and memory. */
export function sameBut(container: JsonObject, old: JsonObject): boolean {
  const { resources, ...others } = container
  const { resources: before, ...own } = old
  return equalJson(others, own) && equalJson(fixedResources(resources), fixedResources(before))
}

/** The immutable part of resources: everything but CPU and memory. */
function fixedResources(resources: unknown): unknown {
  return ['requests', 'limits'].map((part) => {
    const { cpu: _, memory: __, ...others } = objectOf(objectOf(resources)[part])
    return others
  })
}
