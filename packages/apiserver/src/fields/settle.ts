import type { InParts } from '../work/index.ts'
import type { Comparison } from './compare.ts'
import { conflictWith, type FieldConflict } from './conflict.ts'
import { FieldSet } from './field-set.ts'
import type { FieldsContext } from './fields-context.ts'
import type { Managers } from './managers.ts'
import { bySchema } from './owned-fields.ts'
import { fieldElement, type PathElement } from './path-element.ts'
import { addAll } from '../work/index.ts'

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
      { ...manager, fields: bySchema(context.type, manager.fields) },
    ]),
  )
}

/**
 * Takes from the other managers what a write changed or removed. Without `force` what was changed is a
 * conflict, and nothing is taken. `removed` counts for all managers; a manager without fields is removed.
 */
export function* settle(
  context: FieldsContext,
  managers: Managers,
  comparison: Comparison,
  force: boolean,
): InParts<{ managers: Managers } | { conflicts: FieldConflict[] }> {
  const changed = comparison.modified.union(comparison.added)
  const result: Managers = new Map()
  const conflicts: FieldConflict[] = []
  for (const [key, manager] of [...managers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (key === context.key) {
      if (!manager.fields.empty) result.set(key, manager)
      continue
    }
    yield
    const contested = manager.fields.intersection(changed)
    addAll(
      conflicts,
      contested.paths().map((path: PathElement[]) => conflictWith(manager, path)),
    )
    const fields = manager.fields.difference(contested).difference(comparison.removed)
    if (!fields.empty) result.set(key, { ...manager, fields })
  }
  return !force && conflicts.length > 0 ? { conflicts } : { managers: result }
}

/** The managers, where this write's owns only what can be owned. */
export function stripped(context: FieldsContext, managers: Managers, key = context.key): Managers {
  const manager = managers.get(key)
  if (!manager) return managers
  const fields = manager.fields.difference(NEVER_OWNED)
  const result = new Map(managers)
  if (fields.empty) result.delete(key)
  else result.set(key, { ...manager, fields })
  return result
}
