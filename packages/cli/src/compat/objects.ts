import type { StructuralSchema } from '@homeostat/api'
import { reportDefault } from './defaults.ts'
import { fieldOf, type Place } from './place.ts'
import type { Report } from './rules.ts'

/** Any value, which the server keeps as it is. */
const ANYTHING: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true }

type Compare = (old: StructuralSchema, next: StructuralSchema, place: Place, report: Report) => void

/** C21 to C24, C28 to C30 and C51: compares the fields of an object, and what happens to fields that the schema does not name. */
export function compareObjects(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
  compare: Compare,
): void {
  if (old.type !== 'object' || next.type !== 'object') return
  compareRequired(old, next, place, report)
  const names = new Set([...Object.keys(old.properties ?? {}), ...Object.keys(next.properties ?? {})])
  for (const name of [...names].toSorted()) {
    const at = fieldOf(place, name)
    const [before, after] = [schemaOf(old, name), schemaOf(next, name)]
    if (before && after) compareField(before, after, at, report, compare)
    else if (before) {
      const reason =
        'the server drops the field, both from stored objects that it reads and from objects that clients write'
      report('C21', 'breaking', at.path, reason)
    } else if (after?.default !== undefined) reportDefault(after.default, at, report)
    else if (!(next.required ?? []).includes(name)) {
      report('C22', 'safe', at.path, 'a field that objects may leave out')
    }
  }
  compareOthers(old, next, place, report, compare)
  compareEmbedded(old, next, place, report)
  compareMapTypes(old, next, place, report)
}

/** The schema of a field: by its name, or that of the values of a map, or any value where unknown fields are kept. */
function schemaOf(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties = {} } = schema
  return Object.hasOwn(properties, name) ? properties[name] : othersOf(schema)
}

/** The schema of the fields that the schema does not name. Absent: the server drops them. */
function othersOf(schema: StructuralSchema): StructuralSchema | undefined {
  const { additionalProperties: values } = schema
  if (typeof values === 'object') return values
  if (values === true || schema['x-kubernetes-preserve-unknown-fields']) return ANYTHING
  return undefined
}

function compareField(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
  compare: Compare,
): void {
  if (old === ANYTHING && next === ANYTHING) return
  compare(old, next, place, report)
}

/** C23 and C24. */
function compareRequired(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  const [before, after] = [new Set(old.required), new Set(next.required)]
  for (const name of after) {
    if (before.has(name)) continue
    const { path } = fieldOf(place, name)
    if (schemaOf(next, name)?.default !== undefined)
      report('C23', 'safe', path, 'it becomes required, and objects without it get its default')
    else {
      const reason = `it becomes required: the server refuses creates without it, and updates that change ${place.path || 'anything'} in a stored object without it`
      report('C23', 'breaking', path, reason)
    }
  }
  for (const name of before) {
    if (!after.has(name) && schemaOf(next, name))
      report(
        'C24',
        'safe',
        fieldOf(place, name).path,
        'it becomes optional: clients must expect objects without it',
      )
  }
}

/** C28 and C29. */
function compareOthers(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
  compare: Compare,
): void {
  const [before, after] = [othersOf(old), othersOf(next)]
  const rule = before === ANYTHING || after === ANYTHING ? 'C28' : 'C29'
  if (before && !after)
    report(
      rule,
      'breaking',
      place.path,
      'fields that the schema does not name are dropped, in stored objects too',
    )
  else if (!before && after) report(rule, 'safe', place.path, 'fields that the schema does not name are kept')
  else if (before && after) compareField(before, after, fieldOf(place, '*'), report, compare)
}

/** C30. */
function compareEmbedded(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  const [before, after] = [
    old['x-kubernetes-embedded-resource'] === true,
    next['x-kubernetes-embedded-resource'] === true,
  ]
  if (before === after) return
  if (after)
    report(
      'C30',
      'breaking',
      place.path,
      'values without apiVersion, kind or valid metadata are refused, in updates of stored objects too',
    )
  else if (othersOf(next)) report('C30', 'safe', place.path, 'it need not be an object of Kubernetes')
  else
    report(
      'C30',
      'breaking',
      place.path,
      'its apiVersion, kind and metadata are dropped unless the schema names them',
    )
}

/** C51. */
function compareMapTypes(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  const typeOf = (schema: StructuralSchema): string => schema['x-kubernetes-map-type'] ?? 'granular'
  if (typeOf(old) === typeOf(next)) return
  const words = `the map type changes from ${typeOf(old)} to ${typeOf(next)}`
  if (typeOf(next) === 'granular')
    report('C51', 'safe', place.path, `${words}: field managers own single fields`)
  else {
    const reason = `${words}: when several field managers apply fields, each apply removes the fields of the others`
    report('C51', 'breaking', place.path, reason)
  }
}
