import { apiVersionOf, failure, formatLabelSelector, labelSelectorFrom } from '@homeostat/api'
import { causesOf, copyJson, invalidValue, isObject, objectOf, setKey } from '../../schema/index.ts'
import { apply } from './apply.ts'
import { Failure } from '../resource/failure.ts'
import { get } from '../read/read.ts'
import type { Registry } from '../registry.ts'
import { served } from '../stored/served.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Target, WriteOptions } from '../request/target.ts'
import { update } from './update.ts'

/** What `scale` takes and answers, whatever the kind behind it. */
export const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const

/** How many replicas an object wants and has, in the common form. */
export async function getScale(registry: Registry, target: Target): Promise<ServerObject> {
  const stored = get(registry, target)
  const object = served(await registry.conversions.readAgain(stored, target), target.resource)
  const path = replicasPath(target)
  if (target.resource.custom && path !== '' && read(object, path) === undefined) {
    const problem = `the spec replicas field ${JSON.stringify(path)} does not exist`
    throw new Failure(failure.internalError(problem))
  }
  return scaleOf(target, object)
}

/** Sets how many replicas an object wants; `change` gets the scale as it is and gives it as it should be. */
export async function updateScale(
  registry: Registry,
  target: Target,
  change: (current: ServerObject) => ServerObject,
  options: WriteOptions,
): Promise<ServerObject> {
  const written = await update(
    registry,
    target,
    {
      subresource: 'scale',
      change(current) {
        if (!current) throw new Failure(failure.notFound(target.resource, target.name))
        const wanted = change(scaleOf(target, current))
        const object = copyJson(current)
        write(object, replicasPath(target), replicasOf(target, wanted))
        if (wanted.metadata.resourceVersion) object.metadata.resourceVersion = wanted.metadata.resourceVersion
        return object
      },
    },
    options,
  )
  return scaleOf(target, written.object)
}

/** Applies a scale: its manager then owns the number of replicas of the object itself. */
export async function applyScale(
  registry: Registry,
  target: Target,
  request: { readonly scale: ServerObject; readonly force: boolean },
  options: WriteOptions,
): Promise<ServerObject> {
  const { resource, name } = target
  const { resourceVersion, uid } = request.scale.metadata
  const applied: ServerObject = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name, ...(resourceVersion && { resourceVersion }), ...(uid && { uid }) },
  }
  write(applied, replicasPath(target), replicasOf(target, request.scale))
  const { force } = request
  const written = await apply(
    registry,
    target,
    { applied, duplicates: [], force, subresource: 'scale' },
    options,
  )
  return scaleOf(target, written.object)
}

function replicasPath({ resource }: Target): string {
  return resource.subresources.scale?.specReplicasPath ?? ''
}

function replicasOf(target: Target, scale: ServerObject): number {
  const { resource, name } = target
  const replicas = objectOf(scale['spec'])['replicas'] ?? 0
  if (typeof replicas === 'number' && replicas >= 0) return replicas
  if (resource.custom) {
    const problem = invalidValue(replicasPath(target), replicas, 'should be a non-negative integer')
    throw new Failure(failure.invalid(resource, name, causesOf([problem])))
  }
  const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0')
  throw new Failure(failure.invalid(SCALE, name, causesOf([problem])))
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

/** A selector of labels, or as in the oldest kinds nothing but the labels. */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector
  if (!isObject(selector)) return ''
  const onlyLabels = Object.values(selector).every((value) => typeof value === 'string')
  return formatLabelSelector(labelSelectorFrom(onlyLabels ? { matchLabels: selector } : selector))
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
