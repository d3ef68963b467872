import { timestamp } from '@homeostat/api'
import { copyJson, equalJson, hasSentEmpty } from '../../schema/index.ts'
import type { InParts } from '../../work/index.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import { knownParts, withParts } from '../decode/known-parts.ts'
import type { Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Target } from '../request/target.ts'
import { manageInParts } from './managed-fields.ts'
import { countedPart, keepMeta, nextGeneration } from './written-metadata.ts'

/** A changed object that is prepared for validation. */
export interface ChangedObject {
  readonly target: Target
  readonly subresource: string | undefined
  readonly object: ServerObject
  readonly current: ServerObject
  /** Whether the server itself made the change: then only metadata is prepared. */
  readonly trusted: boolean
  /** The writer to record in managed fields; undefined where they are set already. */
  readonly manager: string | undefined
  readonly large: boolean
}

/**
 * Restores the fields that such a write may not change, and sets those that follow from the change, such as the
 * generation. In parts.
 */
export function* prepareChange(registry: Registry, changed: ChangedObject): InParts<void> {
  const { target, subresource, object, current } = changed
  const { resource } = target
  const rules = resource.strategy()
  const context = registry.context(resource)
  const part = objectRules.get().partOf(resource, subresource)
  keepMeta(object, current, target)
  rules.normalize?.(object)
  // The field manager owns the fields that the client sent, not those that the following steps restore or set.
  yield* recordManager(registry, changed)
  objectRules.get().nullLists(object, resource)
  if (subresource === 'status') {
    keepAllButStatus(object, current, resource.custom)
    rules.prepareStatus?.(object, current, context)
  } else if (part) {
    part.prepare(object, current, timestamp(registry.clock.now()))
    countGeneration(registry, resource, object, current)
  } else if (!changed.trusted) {
    if (resource.subresources.status) keepStatus(object, current)
    rules.prepareUpdate?.(object, current, context)
    yield
    objectRules.get().dropDisabledFields(object, resource, current)
    countGeneration(registry, resource, object, current)
  }
}

/**
 * The same change, with the parts of the stored object that are unchanged, so that they are not compared field by field. A part in which
 * something was sent empty may count as changed.
 */
function sharing(changed: ChangedObject): ChangedObject {
  const { object, current } = changed
  const known = new Set([...knownParts(object, current)].filter((part) => !hasSentEmpty(object[part])))
  return { ...changed, object: withParts(object, known, current) }
}

function* recordManager(registry: Registry, changed: ChangedObject): InParts<void> {
  const { manager } = changed
  if (manager === undefined) return
  const { target, subresource, object, current: before, large } = sharing(changed)
  const { resource, waiting } = target
  const write = { object, before, resource, waiting, manager, subresource }
  yield* manageInParts(registry, write, large)
}

function countGeneration(
  registry: Registry,
  resource: Resource,
  object: ServerObject,
  current: ServerObject,
): void {
  const rules = resource.strategy()
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

/**
 * A write of the status keeps everything else: it shares that with the stored object, which is frozen. For native kinds it
 * can change some of the metadata.
 */
function keepAllButStatus(object: ServerObject, current: ServerObject, custom: boolean): void {
  for (const field of Object.keys(object)) {
    if (field !== 'metadata' && field !== 'status' && !Object.hasOwn(current, field)) delete object[field]
  }
  for (const [field, value] of Object.entries(current)) {
    if (field !== 'metadata' && field !== 'status') object[field] = value
  }
  const { managedFields } = object.metadata
  if (custom) {
    object.metadata = { ...copyJson(current.metadata), ...(managedFields ? { managedFields } : {}) }
  }
}
