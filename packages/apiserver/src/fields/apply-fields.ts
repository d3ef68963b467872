import { copyJson, equalJson, type JsonObject, objectOf } from '../schema/index.ts'
import { appliedProblem } from './check-applied.ts'
import { compare } from './compare.ts'
import type { FieldConflict } from './conflict.ts'
import { emptyObject } from './empty-object.ts'
import { contextOf, servedManagers, type FieldsContext, type FieldsWrite } from './fields-context.ts'
import { FieldSet } from './field-set.ts'
import type { FieldType } from './field-type.ts'
import { allowedByLastApplied, LAST_APPLIED, lastAppliedText } from './last-applied.ts'
import { decodeManagers, encodeManagers, managerKey, type Managers } from './managers.ts'
import { merge } from './merge.ts'
import { fieldsOf, withNamedFields } from './owned-fields.ts'
import { removeFields } from './remove.ts'
import { reconciled, settle, stripped, withoutReset } from './settle.ts'
import { atOnce, type InParts } from '../work/index.ts'
import { trackUpdate } from './update-fields.ts'

/** A server-side apply. */
export interface ApplyFields extends FieldsWrite {
  /** The object as it is stored; `undefined` where there is none yet. */
  readonly live: object | undefined
  /** What is applied, as it was sent: nothing defaulted. */
  readonly applied: object
  /** Whether fields that others own with other values are taken from them. */
  readonly force: boolean
}

/**
 * What an apply gives: the object, with `metadata.managedFields` set and not yet defaulted; or the fields that are
 * contested; or why it cannot be applied at all.
 */
export type AppliedFields =
  | { readonly object: JsonObject }
  | { readonly conflicts: readonly FieldConflict[] }
  | { readonly problem: string }

/**
 * Merges what is applied into the live object, removes the fields that the manager applied before and no longer does unless
 * another manager owns them, and records the owners. Neither argument is changed.
 */
export function applyFields(write: ApplyFields): AppliedFields {
  return atOnce(applyFieldsInParts(write))
}

/** The same in parts. The arguments must not change meanwhile. */
export function* applyFieldsInParts(write: ApplyFields): InParts<AppliedFields> {
  const applied = write.applied as JsonObject
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
    // What kubectl applied before from the client's side is its own, though an update stands for it.
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
  const live =
    (write.live as JsonObject | undefined) ??
    emptyObject(write.schema, applied['apiVersion'], applied['kind'])
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
  const merged = merge(type, live, applied)
  yield
  const object = last ? yield* withoutDropped(type, merged, managers, last.fields) : merged
  yield
  const comparison = withoutReset(compare(type, live, object), context.reset)
  yield
  const settled = yield* settle(context, managers, comparison, force)
  if ('conflicts' in settled) return settled
  const result = new Map(stripped(context, settled.managers))
  yield
  const mine = result.get(key)
  if (mine && !equalJson(live, object)) result.set(key, { ...mine, time: context.time })
  yield
  return { object: copyJson(object) as JsonObject, managers: result }
}

/**
 * The merged object without the fields that the manager applied last time and no manager owns now. A field that is no longer
 * mentioned, but never was this manager's, stays.
 */
function* withoutDropped(
  type: FieldType,
  merged: unknown,
  managers: Managers,
  last: FieldSet,
): InParts<unknown> {
  if (last.empty) return merged
  const lastNamed = withNamedFields(type, last)
  yield
  const pruned = removeFields(type, merged, lastNamed)
  yield
  const owned = FieldSet.unionOf([...managers.values()].map(({ fields }) => fields))
  yield
  const all = withNamedFields(type, fieldsOf(type, merged))
  yield
  const kept = withNamedFields(type, fieldsOf(type, pruned)).union(withNamedFields(type, owned))
  yield
  const restored = removeFields(type, merged, all.difference(kept))
  yield
  const left = withNamedFields(type, fieldsOf(type, restored))
  yield
  return removeFields(type, merged, all.difference(left).intersection(lastNamed))
}

/** Updates the annotation of client-side apply, so that a user can go back to it. */
function keepLastApplied(object: JsonObject, applied: JsonObject): void {
  const annotations = objectOf(objectOf(object['metadata'])['annotations'])
  if (annotations[LAST_APPLIED]) annotations[LAST_APPLIED] = lastAppliedText(applied)
}
