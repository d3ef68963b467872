import { equalJson, isObject, type JsonObject, objectOf } from '../schema/index.ts'
import { compare } from './compare.ts'
import { emptyObject } from './empty-object.ts'
import { contextOf, servedManagers, type FieldsContext, type FieldsWrite } from './fields-context.ts'
import { capUpdaters, decodeManagers, encodeManagers, type Managers } from './managers.ts'
import { atOnce, type InParts } from '../work/index.ts'
import { ownable, reconciled, settle, withoutReset, type Changed } from './settle.ts'

/** A create, an update or a patch. */
export interface UpdateFields extends FieldsWrite {
  /** The object as it is stored; `undefined` for a new one. */
  readonly before: JsonObject | undefined
  /** The object to store, with its defaults, and with the fields restored that such a write cannot change. */
  readonly after: JsonObject
}

/** Records the owners after a create, an update or a patch: sets `metadata.managedFields` of `after`. */
export function updateFields(write: UpdateFields): void {
  atOnce(updateFieldsInParts(write))
}

/** Does the same in parts. `before` and `after` must not change meanwhile. */
export function* updateFieldsInParts(write: UpdateFields): InParts<void> {
  const { after, before } = write
  const metadata = after['metadata']
  if (!isObject(metadata)) return
  const managers = managersFor(write, before, metadata['managedFields'])
  delete metadata['managedFields']
  if (!managers) return
  yield
  const entries = yield* trackUpdate(contextOf(write, 'Update'), write, managers, before, after)
  yield
  if (entries.size > 0) metadata['managedFields'] = yield* encodeManagers(entries)
}

/**
 * The managers before a write: those that the client sends, so that a client can edit them, or else those of the stored
 * object. An empty list, or one empty entry, clears them. `undefined` where ownership is not tracked: an object that has lost
 * its managers is tracked again from the next apply on.
 */
function managersFor(
  write: FieldsWrite,
  before: JsonObject | undefined,
  sent: unknown,
): Managers | undefined {
  const live = (): Managers => decodeManagers(objectOf(before?.['metadata'])['managedFields']) ?? new Map()
  let managers: Managers
  if (write.subresource) managers = live()
  else if (isReset(sent)) managers = new Map()
  else {
    const given = decodeManagers(sent)
    managers = given && given.size > 0 ? given : live()
  }
  return managers.size === 0 && before !== undefined ? undefined : managers
}

function isReset(sent: unknown): boolean {
  if (!Array.isArray(sent)) return false
  return sent.length === 0 || (sent.length === 1 && isObject(sent[0]) && Object.keys(sent[0]).length === 0)
}

/** The managers after a change: this manager owns what it changed or added; what it removed has no owner. */
export function* trackUpdate(
  context: FieldsContext,
  write: Pick<FieldsWrite, 'schema' | 'apiVersion'>,
  managers: Managers,
  before: JsonObject | undefined,
  after: JsonObject,
): InParts<Managers> {
  const old = before ?? emptyObject(write.schema, after['apiVersion'], after['kind'])
  const now = withoutManagers(after)
  const whole = compare(context.type, old, now)
  yield
  const comparison = withoutReset(whole, context.reset)
  const result = new Map(
    managers.size === 0
      ? managers
      : yield* othersAfter(context, managers, { before: old, after: now, comparison }),
  )
  yield
  const taken = ownable(comparison.modified.union(comparison.added))
  if (taken.empty) return capUpdaters(result)
  const { name, operation, subresource, apiVersion, time, key } = context
  const previous = result.get(key)
  const owned = previous ? taken.union(previous.fields) : taken
  const known = managers.get(key)?.fields
  // Mostly the manager changes fields that it owns already: then its set is encoded already.
  const fields = known?.equals(owned) ? known : owned
  result.set(key, { name, operation, subresource, apiVersion, fields, time })
  return capUpdaters(result)
}

/** The other managers' fields after a change. */
function* othersAfter(context: FieldsContext, managers: Managers, change: Changed): InParts<Managers> {
  const known = reconciled(context, servedManagers(context, managers))
  // The write has a separate key here, so that fields which it takes from its own manager also count.
  const settled = yield* settle({ ...context, key: '' }, known, change, true)
  return 'managers' in settled ? settled.managers : known
}

function withoutManagers(object: JsonObject): JsonObject {
  const { metadata } = object
  if (isObject(metadata) && !Object.hasOwn(metadata, 'managedFields')) return object
  const { managedFields: _, ...others } = objectOf(metadata)
  return { ...object, metadata: others }
}

/**
 * Restores the times of the stored managers where nothing else has changed, so that a write without changes stores
 * nothing. Returns whether it did.
 */
export function keepTimes(before: JsonObject, after: JsonObject): boolean {
  const old = objectOf(before['metadata'])
  const now = objectOf(after['metadata'])
  const oldEntries = old['managedFields']
  const entries = now['managedFields']
  if (!Array.isArray(oldEntries) || !Array.isArray(entries)) return false
  if (entries.length === 0 || entries.length !== oldEntries.length) return false
  if (!entries.every((entry, index) => equalJson(withoutTime(entry), withoutTime(oldEntries[index]))))
    return false
  const rest = { ...after, metadata: { ...now, managedFields: undefined } }
  if (!equalJson(rest, { ...before, metadata: { ...old, managedFields: undefined } })) return false
  now['managedFields'] = entries.map((entry, index) => ({
    ...entry,
    time: objectOf(oldEntries[index])['time'],
  }))
  return true
}

function withoutTime(entry: unknown): JsonObject {
  const { time: _, ...rest } = objectOf(entry)
  return rest
}
