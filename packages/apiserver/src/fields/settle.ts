import { type InParts, addAll } from '../work/index.ts'
import { type Comparison, compare } from './compare.ts'
import { conflictWith, type FieldConflict } from './conflict.ts'
import { FieldSet } from './field-set.ts'
import type { FieldsContext } from './fields-context.ts'
import type { Managers } from './managers.ts'
import { bySchema } from './owned-fields.ts'
import { fieldElement, type PathElement } from './path-element.ts'
import type { JsonObject } from '../schema/index.ts'
import { inVersion, typeIn } from './versions.ts'

/** Fields that never have an owner: those that identify the object, and those that the server itself writes. */
const NEVER_OWNED = FieldSet.of(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldElement(name)]),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => [fieldElement('metadata'), fieldElement(name)]),
)

/** The comparison without the fields that the write cannot change. */
export function withoutReset(comparison: Comparison, reset: FieldSet): Comparison {
  return {
    added: comparison.added.without(reset),
    modified: comparison.modified.without(reset),
    removed: comparison.removed.without(reset),
  }
}

/** The managers as the schema has them now. */
export function reconciled(context: FieldsContext, managers: Managers): Managers {
  return new Map(
    [...managers].map(([key, manager]) => [
      key,
      { ...manager, fields: bySchema(typeIn(context, manager.apiVersion), manager.fields) },
    ]),
  )
}

/** The objects before and after a write, and their differences in the version of the write. */
export interface Changed {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly comparison: Comparison
}

/**
 * The differences for managers of each version: in a version with other fields, those between the converted objects.
 */
function* comparisonsOf(
  context: FieldsContext,
  managers: Managers,
  { before, after, comparison }: Changed,
): InParts<ReadonlyMap<string, Comparison>> {
  const comparisons = new Map([[context.apiVersion, comparison]])
  for (const [key, { apiVersion }] of managers) {
    if (key === context.key || comparisons.has(apiVersion)) continue
    if (!context.versions?.schema(apiVersion)) {
      comparisons.set(apiVersion, comparison)
      continue
    }
    const [old, now] = yield* inVersion(context, [before, after], apiVersion)
    comparisons.set(apiVersion, withoutReset(compare(typeIn(context, apiVersion), old, now), context.reset))
  }
  return comparisons
}

/**
 * Removes changed and removed fields from the other managers. Without `force`, a changed field is a conflict, and no
 * field is taken. Removed fields are removed from all managers. A manager without fields is removed.
 */
export function* settle(
  context: FieldsContext,
  managers: Managers,
  change: Changed,
  force: boolean,
): InParts<{ managers: Managers } | { conflicts: FieldConflict[] }> {
  const comparisons = yield* comparisonsOf(context, managers, change)
  const result: Managers = new Map()
  const conflicts: FieldConflict[] = []
  for (const [key, manager] of [...managers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (key === context.key) {
      if (!manager.fields.empty) result.set(key, manager)
      continue
    }
    yield
    const comparison = comparisons.get(manager.apiVersion) ?? change.comparison
    const contested = manager.fields.intersection(comparison.modified.union(comparison.added))
    if (!force) {
      addAll(
        conflicts,
        contested.paths().map((path: PathElement[]) => conflictWith(manager, path)),
      )
    }
    const fields = manager.fields.difference(contested).difference(comparison.removed)
    if (!fields.empty) result.set(key, { ...manager, fields })
  }
  return conflicts.length > 0 ? { conflicts } : { managers: result }
}

/** The fields of a set that can have an owner. */
export function ownable(fields: FieldSet): FieldSet {
  return fields.difference(NEVER_OWNED)
}

/** The managers, where the manager of this write keeps only fields that can have an owner. */
export function stripped(context: FieldsContext, managers: Managers, key = context.key): Managers {
  const manager = managers.get(key)
  if (!manager) return managers
  const fields = ownable(manager.fields)
  const result = new Map(managers)
  if (fields.empty) result.delete(key)
  else result.set(key, { ...manager, fields })
  return result
}
