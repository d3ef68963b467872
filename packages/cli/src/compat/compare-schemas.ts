import { deepEqual, type StructuralSchema } from '@homeostat/api'
import { compareAlternatives } from './alternatives.ts'
import { compareConstraints } from './constraints.ts'
import { compareDefaults } from './defaults.ts'
import { compareObjects } from './objects.ts'
import { itemsOf, reportNarrower, within, type Place } from './place.ts'
import type { Report } from './rules.ts'
import { compareValidationRules } from './validation-rules.ts'

/**
 * Compares two structural schemas of one place: what happens to values that the old one accepts. Reports each difference once, at its place.
 * Descriptions are ignored.
 */
export function compareSchemas(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
): void {
  compareDefaults(old, next, place, report)
  if (!compareTypes(old, next, place, report)) return
  compareNull(old, next, place, report)
  compareConstraints(old, next, place, report)
  compareAlternatives(old, next, place, report)
  compareValidationRules(old, next, place, report)
  const inside = within(place, next)
  compareLists(old, next, inside, report)
  compareObjects(old, next, inside, report, compareSchemas)
}

/** The type of a schema. Without one a value may be anything. */
function typeOf(schema: StructuralSchema): string {
  return schema['x-kubernetes-int-or-string'] ? 'int-or-string' : (schema.type ?? 'any')
}

/** C20. Returns whether the types are close enough to compare the rest of the schemas. */
function compareTypes(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): boolean {
  const [before, after] = [typeOf(old), typeOf(next)]
  if (before === after) return true
  const words = `the type changes from ${before} to ${after}`
  const wider =
    (before === 'integer' && (after === 'number' || after === 'int-or-string')) ||
    (before === 'string' && after === 'int-or-string') ||
    (after === 'any' && before !== 'any')
  if (wider) {
    report(
      'C20',
      'safe',
      place.path,
      `${words}, which accepts all old values; clients must expect the new ones`,
    )
    return after !== 'any'
  }
  const isPart =
    (before === 'any' && after !== 'object' && after !== 'array') ||
    (before === 'number' && after === 'integer') ||
    (before === 'int-or-string' && (after === 'integer' || after === 'string'))
  if (isPart) {
    reportNarrower(report, 'C20', place, words)
    return false
  }
  const what =
    before === 'any'
      ? 'values of other types are refused, and unknown fields in it are dropped'
      : 'no old value can be written'
  report('C20', 'breaking', place.path, `${words}: ${what}`)
  return false
}

/** C27. */
function compareNull(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  const [before, after] = [old.nullable === true, next.nullable === true]
  if (before === after) return
  if (!after && place.path.endsWith('[]')) reportNarrower(report, 'C27', place, 'null is no longer accepted')
  else if (!after) {
    const then = next.default === undefined ? 'null is dropped' : 'the default takes its place'
    report('C27', 'breaking', place.path, `null is no longer accepted: ${then}, in stored objects too`)
  } else if (next.default !== undefined) {
    report(
      'C27',
      'breaking',
      place.path,
      'null is accepted and stored; before, the server stored the default instead',
    )
  } else report('C27', 'safe', place.path, 'null is accepted, which clients must expect when they read')
}

/** C50, and the schemas of the items. */
function compareLists(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  if (old.type !== 'array' || next.type !== 'array') return
  const [before, after] = [listType(old), listType(next)]
  if (before !== after) {
    const words = `the list type changes from ${before} to ${after}`
    if (before === 'atomic') reportNarrower(report, 'C50', place, `${words}: items must be unique`)
    else {
      const reason = `${words}: when several field managers apply items, each apply removes the items of the others`
      report('C50', 'breaking', place.path, reason)
    }
  } else if (after === 'map' && !deepEqual(keysOf(old), keysOf(next))) {
    const reason = `the keys of items change from ${keysOf(old).join(', ')} to ${keysOf(next).join(', ')}: managed fields of stored objects still identify items by the old keys`
    report('C50', 'breaking', place.path, reason)
  }
  if (old.items && next.items) {
    compareSchemas(old.items, next.items, itemsOf(place, after === 'map'), report)
  }
}

function listType(schema: StructuralSchema): string {
  return schema['x-kubernetes-list-type'] ?? 'atomic'
}

function keysOf(schema: StructuralSchema): readonly string[] {
  return (schema['x-kubernetes-list-map-keys'] ?? []).toSorted()
}
