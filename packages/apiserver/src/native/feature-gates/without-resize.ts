import { objectsIn } from '../../checks/index.ts'
import type { KindPart, KindStrategy } from '../../registry/index.ts'
import { equalJson, type FieldError, forbiddenValue, type JsonObject, objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { resizeWith, sameBut } from '../pod/pod-parts.ts'
import { changeErrors } from './change-errors.ts'

const RESTART_OF_INIT = "must not be set to 'RestartContainer' for non-sidecar initContainers"

/** Pods whose `resize` leaves the resources of init containers alone, except for sidecars. */
export function withoutInitResize(strategy: KindStrategy, { kind }: NativeKind): KindStrategy {
  const changed = changeErrors(strategy, (error) => (error.message.endsWith(RESTART_OF_INIT) ? [] : [error]))
  if (kind !== 'Pod') return changed
  return { ...changed, parts: { ...strategy.parts, resize: resizeWith(initErrors) } }
}

function initErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const old = objectsIn(before['initContainers'])
  return objectsIn(spec['initContainers']).flatMap((container, index) => {
    const was = old[index] ?? {}
    const isSidecar = container['restartPolicy'] === 'Always'
    if (isSidecar ? sameBut(container, was) : equalJson(container, was)) return []
    const detail = isSidecar
      ? 'only cpu and memory resources for sidecar containers are mutable'
      : 'resources for non-sidecar init containers are immutable'
    return [forbiddenValue('spec', detail)]
  })
}

/** Pods whose `resize` leaves the resources of the whole Pod alone, and is refused where there are some. */
export function withoutPodLevelResize(strategy: KindStrategy, { kind }: NativeKind): KindStrategy {
  const resize = kind === 'Pod' ? strategy.parts?.['resize'] : undefined
  if (!resize) return strategy
  const part: KindPart = {
    prepare(pod, old, now) {
      resize.prepare(pod, old, now)
      const { resources } = objectOf(old['spec'])
      const spec = objectOf(pod['spec'])
      if (resources === undefined) delete spec['resources']
      else spec['resources'] = resources
    },
    validate: (pod, old) =>
      hasResources(old)
        ? [forbiddenValue('[]', 'pods with pod-level resources cannot be resized')]
        : resize.validate(pod, old),
    replaces: (old) => hasResources(old) || resize.replaces(old),
  }
  return { ...strategy, parts: { ...strategy.parts, resize: part } }
}

function hasResources(pod: JsonObject): boolean {
  const { requests, limits } = objectOf(objectOf(pod['spec'])['resources'])
  return Object.keys({ ...objectOf(requests), ...objectOf(limits) }).length > 0
}
