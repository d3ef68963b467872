import { failure, type Status } from '@homeostat/api'
import { causesOf, invalidValue } from '../schema/field-error.ts'
import { copyJson, equalJson } from '../schema/json.ts'
import { validateObjectMeta, validateObjectMetaUpdate } from '../schema/object-meta.ts'
import { create, type Written } from './create.ts'
import { Failure } from './failure.ts'
import { manageUpdate } from './managed-fields.ts'
import { countedPart, keepMeta } from './object-meta.ts'
import { keyIn, type Registry } from './registry.ts'
import { served } from './served.ts'
import { kindProblems } from './shape.ts'
import type { ServerObject } from './server-object.ts'
import type { Target, WriteOptions } from './target.ts'

/** What an update does to the object. */
export interface Update {
  /** The door that the write comes through: by `status` only the status is written, else everything but it. */
  readonly subresource?: string | undefined
  /**
   * The object as it should be, from the object as it is, which is frozen; undefined when there is none. It
   * is called again when another write came in between. The object that it returns may be changed.
   */
  change(current: ServerObject | undefined): ServerObject | Promise<ServerObject>
  /** Whether an object that is not there is made. */
  readonly createMissing?: boolean
  /** Whether managed fields are in place already, as after server-side apply. */
  readonly managed?: boolean
  /** Whether the server itself decided the change, which its rules for writers do not bind. */
  readonly trusted?: boolean
  /** The object must be this very one. */
  readonly uid?: string | undefined
}

/** Doors behind which the server itself decides what changes. */
const DIRECT = new Set(['binding', 'finalize'])

/** How often an update starts over because another write came first, before it gives up. */
const ATTEMPTS = 100

/**
 * Changes an object: reads it, changes it, checks it, and stores it if no other write came in between; else
 * starts over. A change that changes nothing writes nothing.
 */
export async function update(
  registry: Registry,
  target: Target,
  change: Update,
  options: WriteOptions,
): Promise<Written> {
  const { resource, name } = target
  const rules = registry.rules(resource)
  const key = keyIn(resource, target.namespace, name)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const existing = registry.get(resource, key)
    if (!existing) {
      if (!change.createMissing && !rules.createOnUpdate) throw new Failure(failure.notFound(resource, name))
      if (change.uid) {
        throw new Failure(
          failure.conflict(
            resource,
            name,
            `Precondition failed: UID in precondition: ${change.uid}, UID in object meta: `,
          ),
        )
      }
      const made = await change.change(undefined)
      return create(registry, target, made, options, { managed: change.managed ?? false })
    }
    const current = served(existing, resource)
    if (change.uid && change.uid !== current.metadata.uid) {
      throw new Failure(
        failure.conflict(
          resource,
          name,
          `Precondition failed: UID in precondition: ${change.uid}, UID in object meta: ${current.metadata.uid}`,
        ),
      )
    }
    const object = await change.change(current)
    checkVersion(registry, target, object, current)
    prepare(registry, target, change, object, current, options)
    if (equalJson(withoutTimes(object), withoutTimes(current))) {
      return { object: current, stored: existing, created: false }
    }
    check(registry, target, change, object, current)
    if (options.dryRun) return { object, created: false }
    if (isFinished(object, current) && (rules.finished?.(object) ?? true)) {
      if (registry.remove(resource, key, existing.revision)) return { object, created: false }
      continue
    }
    const stored = registry.put(resource, key, existing.revision, object)
    if (stored) return { object: stored.value as ServerObject, stored, created: false }
  }
  throw new Failure(failure.conflict(resource, name))
}

/** A resourceVersion that the writer gives must be the current one; some kinds demand that it is given. */
function checkVersion(registry: Registry, target: Target, object: ServerObject, current: ServerObject): void {
  const { resource, name } = target
  const version = object.metadata.resourceVersion
  if (version && version !== '0') {
    if (!/^\d+$/.test(version)) throw new Failure(unreadableVersion(version))
    if (version !== current.metadata.resourceVersion) throw new Failure(failure.conflict(resource, name))
    return
  }
  if (!(registry.rules(resource).unconditionalUpdate ?? !resource.custom)) {
    const problem = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
    throw new Failure(
      failure.invalid({ group: resource.group, kind: resource.plural }, name, causesOf([problem])),
    )
  }
  object.metadata.resourceVersion = current.metadata.resourceVersion
}

/** The API gives no reason for this one. */
function unreadableVersion(version: string): Status {
  const message = `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
}

/** Puts into the object what this kind of write leaves alone, and what follows from the change. */
function prepare(
  registry: Registry,
  target: Target,
  change: Update,
  object: ServerObject,
  current: ServerObject,
  options: WriteOptions,
): void {
  const { resource } = target
  const rules = registry.rules(resource)
  const context = registry.context(resource)
  keepMeta(object, current, target)
  if (change.subresource === 'status') {
    keepAllButStatus(object, current, resource.custom)
    rules.prepareStatus?.(object, current, context)
  } else if (!DIRECT.has(change.subresource ?? '')) {
    if (resource.subresources.status) {
      if (current['status'] === undefined) delete object['status']
      else object['status'] = copyJson(current['status'])
    }
    rules.prepareUpdate?.(object, current, context)
  }
  const counted =
    !equalJson(countedPart(object, resource), countedPart(current, resource)) ||
    rules.counts?.(object, current)
  if ((rules.generation ?? resource.custom) && counted) {
    object.metadata.generation = (current.metadata.generation ?? 0) + 1
  }
  if (!change.managed) {
    manageUpdate(registry, object, current, resource, options.fieldManager, change.subresource)
  }
}

/** A write of the status leaves everything else: of native kinds it can change some of the metadata. */
function keepAllButStatus(object: ServerObject, current: ServerObject, custom: boolean): void {
  for (const field of Object.keys(object)) {
    if (field !== 'metadata' && field !== 'status' && !(field in current)) delete object[field]
  }
  for (const [field, value] of Object.entries(current)) {
    if (field !== 'metadata' && field !== 'status') object[field] = copyJson(value)
  }
  const { managedFields } = object.metadata
  if (custom) {
    object.metadata = { ...copyJson(current.metadata), ...(managedFields ? { managedFields } : {}) }
  } else if (current.metadata.labels) {
    object.metadata.labels = copyJson(current.metadata.labels)
  } else {
    delete object.metadata.labels
  }
}

function check(
  registry: Registry,
  target: Target,
  change: Update,
  object: ServerObject,
  current: ServerObject,
): void {
  const { resource, name } = target
  const rules = registry.rules(resource)
  const context = registry.context(resource)
  const problems = [
    ...validateObjectMeta(object.metadata, { namespaced: resource.scope === 'Namespaced', names: 'segment' }),
    ...validateObjectMetaUpdate(object.metadata, current.metadata),
    ...(change.trusted ? [] : kindProblems(object, current, resource, change.subresource)),
    ...(rules.validate?.(object, current, context) ?? []),
    ...(rules.allocate?.(object, current, context) ?? []),
  ]
  if (problems.length > 0) throw new Failure(failure.invalid(resource, name, causesOf(problems)))
}

/** Whether the object was only kept by finalizers, and has none left. */
function isFinished(object: ServerObject, current: ServerObject): boolean {
  return (
    current.metadata.deletionTimestamp !== undefined &&
    (current.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    (object.metadata.finalizers ?? []).length === 0
  )
}

/** The object without what may differ though nothing was changed. */
function withoutTimes(object: ServerObject): ServerObject {
  const { managedFields, ...metadata } = object.metadata
  const entries = managedFields?.map((entry) => ({ ...entry, time: '' }))
  return { ...object, metadata: { ...metadata, ...(entries ? { managedFields: entries } : {}) } }
}
