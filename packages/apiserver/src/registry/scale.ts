import { failure, formatLabelSelector, labelSelectorFrom } from '@homeostat/api'
import { causesOf, invalidValue } from '../schema/field-error.ts'
import { copyJson, isObject, objectOf, setKey } from '../schema/json.ts'
import { Failure } from './failure.ts'
import { get } from './read.ts'
import type { Registry } from './registry.ts'
import { served } from './served.ts'
import type { ServerObject } from './server-object.ts'
import type { Target, WriteOptions } from './target.ts'
import { update } from './update.ts'

/** What `scale` takes and answers, whatever the kind behind it. */
export const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const

/** How many replicas an object wants and has, in the common form. */
export function getScale(registry: Registry, target: Target): ServerObject {
  return scaleOf(target, served(get(registry, target), target.resource))
}

/** Sets how many replicas an object wants; `change` gets the scale as it is and gives it as it should be. */
export async function updateScale(
  registry: Registry,
  target: Target,
  change: (current: ServerObject) => ServerObject,
  options: WriteOptions,
): Promise<ServerObject> {
  const path = target.resource.subresources.scale?.specReplicasPath ?? ''
  const written = await update(
    registry,
    target,
    {
      subresource: 'scale',
      change(current) {
        if (!current) throw new Failure(failure.notFound(target.resource, target.name))
        const wanted = change(scaleOf(target, current))
        const replicas = objectOf(wanted['spec'])['replicas'] ?? 0
        // A custom kind's schema says itself what is allowed.
        if (typeof replicas !== 'number' || (replicas < 0 && !target.resource.custom)) {
          const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')
          throw new Failure(failure.invalid(SCALE, target.name, causesOf([problem])))
        }
        const object = copyJson(current)
        write(object, path, replicas)
        if (wanted.metadata.resourceVersion) object.metadata.resourceVersion = wanted.metadata.resourceVersion
        return object
      },
    },
    options,
  )
  return scaleOf(target, written.object)
}

function scaleOf(target: Target, object: ServerObject): ServerObject {
  const { scale } = target.resource.subresources
  if (!scale) throw new Failure(failure.pathNotFound())
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = scale.labelSelectorPath ? read(object, scale.labelSelectorPath) : undefined
  const replicas = read(object, scale.specReplicasPath)
  return {
    kind: SCALE.kind,
    apiVersion: `${SCALE.group}/${SCALE.version}`,
    metadata: { name, ...(namespace && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: replicas === undefined ? {} : { replicas },
    status: {
      replicas: read(object, scale.statusReplicasPath) ?? 0,
      ...(selector === undefined ? {} : { selector: selectorText(selector) }),
    },
  }
}

function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector
  return isObject(selector) ? formatLabelSelector(labelSelectorFrom(selector)) : ''
}

/** What stands at a path such as `.spec.replicas`. */
function read(object: object, path: string): unknown {
  let value: unknown = object
  for (const name of path.split('.').slice(1)) value = isObject(value) ? value[name] : undefined
  return value
}

function write(object: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.').slice(1)
  const last = names.pop()
  if (last === undefined) return
  let target = object
  for (const name of names) {
    if (!isObject(target[name])) setKey(target, name, {})
    target = target[name] as Record<string, unknown>
  }
  setKey(target, last, value)
}
