import { timestamp } from '@homeostat/api'
import { copyJson, equalJson } from '../../schema/json.ts'
import { objectValidation } from '../lazy-object-validation.ts'
import { manageInParts } from './managed-fields.ts'
import { countedPart, keepMeta, nextGeneration } from './object-meta.ts'
import type { Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import type { ServerObject } from '../server-object.ts'
import type { Target, WriteOptions } from '../target.ts'
import type { InParts } from '../../work/index.ts'

/** What an update does to the object. */
export interface Update {
  /** The door that the write comes through: by `status` only the status is written, else everything but it. */
  readonly subresource?: string | undefined
  /**
   * The object as it should be, from the object as it is, which is frozen; undefined when there is none. It
   * is called again when another write came in between. The object that it returns may be changed. `large`: it should give
   * way to others.
   */
  change(current: ServerObject | undefined, large: boolean): ServerObject | Promise<ServerObject>
  /** Whether an object that is not there is made. Default: as its kind says. */
  readonly createMissing?: boolean
  /** Whether managed fields are in place already, as after server-side apply. */
  readonly managed?: boolean
  /** Whether the server itself decided the change: then only what is common to all objects is checked. */
  readonly trusted?: boolean
  /** The object must be this very one. */
  readonly uid?: string | undefined
}

/** Puts into the object what this kind of write leaves alone, and what follows from the change. In parts, where it is `large`. */
export function* prepareUpdate(
  registry: Registry,
  target: Target,
  change: Update,
  object: ServerObject,
  current: ServerObject,
  options: WriteOptions,
  large: boolean,
): InParts<void> {
  const { resource } = target
  const rules = registry.rules(resource)
  const context = registry.context(resource)
  const part = objectValidation.get().partOf(resource, change.subresource)
  const manage = function* (): InParts<void> {
    if (change.managed) return
    const { subresource } = change
    const write = { object, before: current, resource, manager: options.fieldManager, subresource }
    yield* manageInParts(registry, write, large)
  }
  keepMeta(object, current, target)
  if (change.subresource === 'status') {
    keepAllButStatus(object, current, resource.custom)
    rules.prepareStatus?.(object, current, context)
  } else if (part) {
    // Whoever writes also owns what cannot be written through this door.
    yield* manage()
    part.prepare(object, current, timestamp(registry.clock.now()))
    countGeneration(registry, resource, object, current)
  } else if (!change.trusted) {
    if (resource.subresources.status) keepStatus(object, current)
    rules.prepareUpdate?.(object, current, context)
  }
  yield
  if (part) return
  yield* manage()
  if (change.subresource === 'status' || change.trusted) return
  objectValidation.get().dropDisabledFields(object, resource)
  countGeneration(registry, resource, object, current)
}

function countGeneration(
  registry: Registry,
  resource: Resource,
  object: ServerObject,
  current: ServerObject,
): void {
  const rules = registry.rules(resource)
  const { generation = resource.custom } = rules
  if (generation === false || generation === 'first') return
  const counted =
    !equalJson(countedPart(object, resource), countedPart(current, resource)) ||
    rules.counts?.(object, current)
  if (counted) object.metadata.generation = nextGeneration(current.metadata.generation)
}

function keepStatus(object: ServerObject, current: ServerObject): void {
  if (current['status'] === undefined) delete object['status']
  else object['status'] = copyJson(current['status'])
}

/** A write of the status leaves everything else: of native kinds it can change some of the metadata. */
function keepAllButStatus(object: ServerObject, current: ServerObject, custom: boolean): void {
  for (const field of Object.keys(object)) {
    if (field !== 'metadata' && field !== 'status' && !Object.hasOwn(current, field)) delete object[field]
  }
  for (const [field, value] of Object.entries(current)) {
    if (field !== 'metadata' && field !== 'status') object[field] = copyJson(value)
  }
  const { managedFields } = object.metadata
  if (custom) {
    object.metadata = { ...copyJson(current.metadata), ...(managedFields ? { managedFields } : {}) }
  }
}
