import { apiVersionOf, failure, formatLabelSelector, labelSelectorFrom } from '@homeostat/api'
import {
  causesOf,
  copyJson,
  invalidValue,
  isObject,
  objectOf,
  setKey,
  validateObjectMeta,
} from '../../schema/index.ts'
import { apply } from './apply.ts'
import { Failure } from '../resource/failure.ts'
import { get } from '../read/read.ts'
import type { Registry } from '../state/registry.ts'
import { served } from '../stored/served.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Admission, SubmittedKind } from '../request/admission.ts'
import type { Target, WriteOptions } from '../request/target.ts'
import { update } from './update.ts'

/** The object of `scale` subresources, for all kinds. */
export const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const

/** The Scale of an object. */
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

/** A Scale that a client sends. */
export interface WantedScale {
  readonly scale: ServerObject
  /** The version that the object must have. Default: any. */
  readonly resourceVersion?: string | undefined
  /** The uid that the object must have, before anything else is looked at. Default: any. */
  readonly uid?: string | undefined
}

/** Sets the replicas of an object; `change` gets the current Scale and returns the new one. */
export async function updateScale(
  registry: Registry,
  target: Target,
  change: (current: ServerObject) => WantedScale,
  options: WriteOptions,
): Promise<ServerObject> {
  let sent: ServerObject | undefined
  const written = await update(
    registry,
    target,
    {
      subresource: 'scale',
      change(current) {
        if (!current) throw new Failure(failure.notFound(target.resource, target.name))
        const { scale, resourceVersion, uid } = change(scaleOf(target, current))
        checkUid(target.resource, target.name, uid, current)
        if (!target.resource.custom) checkScale(target, scale, current)
        sent = scale
        const object = copyJson(current)
        write(object, replicasPath(target), replicasOf(target, scale))
        if (resourceVersion) object.metadata.resourceVersion = resourceVersion
        return object
      },
    },
    { ...options, admission: options.admission && admissionOfScale(options.admission, target, () => sent) },
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
    { ...options, admission: options.admission && admissionOfScale(options.admission, target) },
  )
  return scaleOf(target, written.object)
}

const SUBMITTED: SubmittedKind = {
  ...SCALE,
  complete(scale) {
    const { replicas } = objectOf(scale['spec'])
    scale['spec'] = replicas ? { replicas } : {}
    const status = objectOf(scale['status'])
    const { selector } = status
    scale['status'] = { replicas: status['replicas'] ?? 0, ...(selector ? { selector } : {}) }
  },
}

/**
 * Plugins that see a Scale in place of the object that is written. `sent` is the Scale of the client, which plugins may change
 * before validation. Default: the Scale of the object.
 */
function admissionOfScale(
  admission: Admission,
  target: Target,
  sent?: () => ServerObject | undefined,
): Admission {
  const scaled = (object: ServerObject | undefined): ServerObject | undefined =>
    object && scaleOf(target, object)
  return {
    changes: (proposal) => admission.changes({ ...proposal, submitted: SUBMITTED }),
    admit(proposal) {
      const { object: written, old } = proposal
      if (!written || admission.changes({ ...proposal, submitted: SUBMITTED }) === 'nothing') return undefined
      const object = shownScale(target, sent?.() ?? scaleOf(target, written), written)
      const before = old && shownScale(target, scaleOf(target, old), old)
      const finish = (): void => write(written, replicasPath(target), replicasOf(target, object))
      const admitting = admission.admit({ ...proposal, submitted: SUBMITTED, object, old: before })
      return admitting ? admitting.then(finish) : finish()
    },
    validate: ({ object, old, ...proposal }) =>
      admission.validate({ ...proposal, submitted: SUBMITTED, object: scaled(object), old: scaled(old) }),
    commit: ({ object, old, ...proposal }) =>
      admission.commit({ ...proposal, submitted: SUBMITTED, object: scaled(object), old: scaled(old) }),
  }
}

/** A Scale with the managed fields that its object has for the number of replicas. */
function shownScale(
  { resource, namespace }: Target,
  scale: ServerObject,
  object: ServerObject,
): ServerObject {
  const shown = copyJson(scale)
  SUBMITTED.complete(shown)
  if (namespace !== undefined) shown.metadata.namespace = namespace
  const path = (resource.subresources.scale?.specReplicasPath ?? '').split('.').slice(1)
  const managedFields = (object.metadata.managedFields ?? []).flatMap((entry) => {
    let fields: unknown = entry.fieldsV1
    for (const name of path) fields = isObject(fields) ? fields[`f:${name}`] : undefined
    if (fields === undefined) return []
    const fieldsV1 = { 'f:spec': { 'f:replicas': {} } }
    return [{ ...entry, apiVersion: `${SCALE.group}/${SCALE.version}`, fieldsV1 }]
  })
  if (managedFields.length > 0) shown.metadata.managedFields = managedFields
  return shown
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

/** A Scale of a native kind is checked like a separate object. */
function checkScale({ resource, name, namespace }: Target, scale: ServerObject, current: ServerObject): void {
  const { uid, managedFields: _, ...metadata } = scale.metadata
  const { replicas } = objectOf(scale['spec'])
  const errors = validateObjectMeta({ ...metadata, namespace }, { namespaced: true, native: true })
  if (typeof replicas === 'number' && replicas < 0) {
    errors.push(invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'))
  }
  if (errors.length > 0) throw new Failure(failure.invalid(SCALE, name, causesOf(errors)))
  checkUid({ ...resource, plural: `${resource.plural}/scale` }, name, uid, current)
}

function checkUid(resource: Resource, name: string, uid: string | undefined, current: ServerObject): void {
  if (!uid || uid === current.metadata.uid) return
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`
  throw new Failure(failure.conflict(resource, name, why))
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
    spec: replicas ? { replicas } : {},
    status: {
      replicas: read(object, scale.statusReplicasPath) ?? 0,
      ...(selector === undefined ? {} : { selector: selectorText(selector) }),
    },
  }
}

/** A label selector or, in the oldest kinds, a map of labels. */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector
  if (!isObject(selector)) return ''
  const onlyLabels = Object.values(selector).every((value) => typeof value === 'string')
  return formatLabelSelector(labelSelectorFrom(onlyLabels ? { matchLabels: selector } : selector))
}

/** The value at a path such as `.spec.replicas`. */
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
    const known = target[name]
    const next = isObject(known) ? known : {}
    if (next !== known) setKey(target, name, next)
    target = next
  }
  setKey(target, last, value)
}
