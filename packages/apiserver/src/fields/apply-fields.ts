import { copyJson, equalJson, type JsonObject, objectOf } from '../schema/index.ts'
import { appliedProblem } from './check-applied.ts'
import { compare } from './compare.ts'
import type { FieldConflict } from './conflict.ts'
import { emptyObject } from './empty-object.ts'
import { contextOf, servedManagers, type FieldsContext, type FieldsWrite } from './fields-context.ts'
import { FieldSet } from './field-set.ts'
import type { FieldType } from './field-type.ts'
import { allowedByLastApplied, LAST_APPLIED, lastAppliedText } from './last-applied.ts'
import { decodeManagers, encodeManagers, managerKey, type Manager, type Managers } from './managers.ts'
import { merge } from './merge.ts'
import { fieldsOf, withNamedFields } from './owned-fields.ts'
import { removeFields } from './remove.ts'
import { reconciled, settle, stripped, withoutReset } from './settle.ts'
import { atOnce, type InParts } from '../work/index.ts'
import { trackUpdate } from './update-fields.ts'
import { inVersion, typeIn } from './versions.ts'

/** A server-side apply. */
export interface ApplyFields extends FieldsWrite {
  /** The object as it is stored; `undefined` where there is none yet. */
  readonly live: JsonObject | undefined
  /** The applied object as the client sent it, without defaults. */
  readonly applied: JsonObject
  /** Whether to take over fields that other managers own with other values. */
  readonly force: boolean
}

/**
 * The result of an apply: the object with `metadata.managedFields` set and not yet defaulted, the conflicts, or the
 * reason why it cannot be applied.
 */
export type AppliedFields =
  | { readonly object: JsonObject }
  | { readonly conflicts: readonly FieldConflict[] }
  | { readonly problem: string }

/**
 * Merges the applied object into the live one, and records the owners. It removes the fields that the manager applied
 * before and no longer applies, unless another manager owns them. Neither argument is changed.
 */
export function applyFields(write: ApplyFields): AppliedFields {
  return atOnce(applyFieldsInParts(write))
}

/** Does the same in parts. The arguments must not change meanwhile. */
export function* applyFieldsInParts(write: ApplyFields): InParts<AppliedFields> {
  const { applied } = write
  const context = contextOf(write, 'Apply')
  const problem = appliedProblem(context.type, applied)
  if (problem !== undefined) return { problem }
  yield
  const live = liveObject(write, applied)
  const metadata = objectOf(live['metadata'])
  const stored = decodeManagers(metadata['managedFields']) ?? new Map()
  yield
  const managers = yield* managersBefore(context, write, live, stored)
  const first = yield* attempt(context, live, applied, managers, write.force)
  let result = first
  if ('conflicts' in first && context.name === 'kubectl') {
    // kubectl owns the fields of its last client-side apply, although they are recorded as an update.
    const allowed = allowedByLastApplied(context, live)
    const contested = allowed ? first.conflicts.filter(({ path }) => !allowed.hasPath(path)) : first.conflicts
    result =
      contested.length > 0 ? { conflicts: contested } : yield* attempt(context, live, applied, managers, true)
  }
  if ('conflicts' in result) return result
  const { object } = result
  if (context.name === 'kubectl') keepLastApplied(object, applied)
  yield
  const entries = yield* encodeManagers(result.managers)
  const meta = objectOf(object['metadata'])
  if (entries.length > 0) meta['managedFields'] = entries
  else delete meta['managedFields']
  object['metadata'] = meta
  return { object }
}

function liveObject(write: ApplyFields, applied: JsonObject): JsonObject {
  const live = write.live ?? emptyObject(write.schema, applied['apiVersion'], applied['kind'])
  return live
}

/** An object without managers gets one for the fields that it had before its first apply. */
function* managersBefore(
  context: FieldsContext,
  write: ApplyFields,
  live: JsonObject,
  managers: Managers,
): InParts<Managers> {
  if (managers.size > 0 || write.live === undefined) return managers
  const name = 'before-first-apply'
  const { subresource, apiVersion } = context
  const key = managerKey({ name, operation: 'Update', subresource, apiVersion })
  return yield* trackUpdate({ ...context, name, operation: 'Update', key }, write, managers, undefined, live)
}

function* attempt(
  context: FieldsContext,
  live: JsonObject,
  applied: JsonObject,
  before: Managers,
  force: boolean,
): InParts<{ object: JsonObject; managers: Managers } | { conflicts: FieldConflict[] }> {
  const { type, key, name, operation, subresource, apiVersion } = context
  const managers = reconciled(context, servedManagers(context, before))
  const last = managers.get(key)
  yield
  const fields = fieldsOf(type, applied).without(context.reset)
  managers.set(key, { name, operation, subresource, apiVersion, fields, time: last?.time })
  yield
  const merged = objectOf(merge(type, live, applied))
  yield
  const dropped = last && (context.versions || !last.fields.isWithin(fields)) ? last : undefined
  const object = dropped ? yield* withoutDropped(context, merged, managers, dropped) : merged
  yield
  const comparison = withoutReset(compare(type, live, object), context.reset)
  yield
  const change = { before: live, after: object, comparison }
  const settled = yield* settle(context, managers, change, force)
  if ('conflicts' in settled) return settled
  const result = new Map(stripped(context, settled.managers))
  yield
  const mine = result.get(key)
  if (mine) {
    // Mostly the manager applies the same fields again: then their set is encoded already.
    const known = last?.fields.equals(mine.fields) ? last.fields : mine.fields
    const time = equalJson(live, object) ? mine.time : context.time
    result.set(key, { ...mine, fields: known, time })
  }
  yield
  return { object: copyJson(object), managers: result }
}

/**
 * The merged object without the fields that the manager applied last time and that no manager owns now. A field that
 * this manager never owned is not removed. Fields are removed in the version in which the manager applied them, and
 * each manager keeps the fields that it owns in its own version.
 */
function* withoutDropped(
  context: FieldsContext,
  merged: JsonObject,
  managers: Managers,
  { fields: last, apiVersion }: Manager,
): InParts<JsonObject> {
  if (last.empty) return merged
  const type = typeIn(context, apiVersion)
  const lastNamed = withNamedFields(type, last)
  yield
  const [whole = merged] = yield* inVersion(context, [merged], apiVersion)
  const pruned = withoutFields(type, whole, lastNamed)
  yield
  const restored = yield* withOwned(context, { whole, pruned, apiVersion }, managers)
  const [same = restored] = yield* inVersion(context, [restored], apiVersion)
  const left = withNamedFields(type, fieldsOf(type, same))
  yield
  const all = withNamedFields(type, fieldsOf(type, whole))
  yield
  const result = withoutFields(type, whole, all.difference(left).intersection(lastNamed))
  const [requested = result] = yield* inVersion(context, [result], context.apiVersion)
  return requested
}

/** Adds the fields that managers own to the pruned object: first of managers of its own version, then of others. */
function* withOwned(
  context: FieldsContext,
  object: { readonly whole: JsonObject; readonly pruned: JsonObject; readonly apiVersion: string },
  managers: Managers,
): InParts<JsonObject> {
  let { whole, pruned } = object
  for (const [version, owned] of ownedIn(context, managers, object.apiVersion)) {
    const [wholeThere = whole, prunedThere = pruned] = yield* inVersion(context, [whole, pruned], version)
    const type = typeIn(context, version)
    const all = withNamedFields(type, fieldsOf(type, wholeThere))
    yield
    const kept = withNamedFields(type, fieldsOf(type, prunedThere)).union(withNamedFields(type, owned))
    yield
    whole = wholeThere
    pruned = withoutFields(type, wholeThere, all.difference(kept))
    yield
  }
  return pruned
}

/** An object without a set of fields. Something is left of it, since no manager owns its `apiVersion` and its `kind`. */
function withoutFields(type: FieldType, object: JsonObject, set: FieldSet): JsonObject {
  return removeFields(type, object, set) as JsonObject
}

/** The fields of all managers, by version; all under one version where versions have the same fields. */
function ownedIn(context: FieldsContext, managers: Managers, first: string): [string, FieldSet][] {
  const sets = new Map<string, FieldSet[]>([[first, []]])
  for (const { apiVersion, fields } of managers.values()) {
    const version = context.versions?.schema(apiVersion) ? apiVersion : first
    sets.set(version, [...(sets.get(version) ?? []), fields])
  }
  return [...sets].map(([version, parts]) => [version, FieldSet.unionOf(parts)])
}

/** Updates the annotation of client-side apply, so that a user can return to client-side apply. */
function keepLastApplied(object: JsonObject, applied: JsonObject): void {
  const annotations = objectOf(objectOf(object['metadata'])['annotations'])
  if (annotations[LAST_APPLIED]) annotations[LAST_APPLIED] = lastAppliedText(applied)
}
