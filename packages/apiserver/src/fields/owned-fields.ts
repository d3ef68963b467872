import { isObject, type JsonObject } from '../schema/index.ts'
import { FieldSet } from './field-set.ts'
import type { FieldType, ListType, MapType } from './field-type.ts'
import { byElement, fieldOf, shapeOf } from './list-elements.ts'
import { fieldElement, type PathElement } from './path-element.ts'

/** The set of all fields of a value, which its manager owns after an apply. */
export function fieldsOf(type: FieldType, value: unknown): FieldSet {
  return collect(type, value).below ?? new FieldSet()
}

/** The parts of a value that its owner owns. */
interface Owned {
  /** Whether it owns the value itself, as a whole. */
  readonly whole: boolean
  /** The fields below it. */
  readonly below?: FieldSet
}

const WHOLE: Owned = { whole: true }
const NOTHING: Owned = { whole: false }

function collect(type: FieldType, value: unknown): Owned {
  const shape = shapeOf(type, value)
  if (shape.kind === 'scalar') return WHOLE
  if (shape.kind === 'list') {
    if (!shape.type.associative) return WHOLE
    return Array.isArray(value) ? { whole: false, below: elementsOf(shape.type, value) } : NOTHING
  }
  if (shape.type.atomic) return WHOLE
  return isObject(value) ? { whole: false, below: membersOf(shape.type, value) } : NOTHING
}

function elementsOf(list: ListType, values: readonly unknown[]): FieldSet {
  const result = new FieldSet()
  for (const [element, items] of byElement(list, values)) {
    // Duplicate elements are owned as one.
    result.add(element, items.length === 1 ? collect(list.element, items[0]).below : undefined)
  }
  return result
}

function membersOf(map: MapType, object: JsonObject): FieldSet {
  const result = new FieldSet()
  for (const name of Object.keys(object)) {
    const field = fieldOf(map, name)
    const child = object[name]
    const { whole, below } = field ? collect(field, child) : WHOLE
    const hollow = child === null || (isObject(child) && Object.keys(child).length === 0)
    result.add(fieldElement(name), below, whole || hollow || !map.field(name))
  }
  return result
}

/**
 * Adds the fields of a schema that have members below them. Such fields have no owner, since they always exist, but
 * are removed together with everything below them.
 */
export function withNamedFields(type: FieldType, set: FieldSet): FieldSet {
  return set.withMembers<FieldType | undefined>(type, (element, context) => {
    const named = element.startsWith('f:') && context?.map?.field(element.slice(2)) !== undefined
    return { member: named, below: typeBelow(element, context) }
  })
}

/**
 * Adapts the set to a schema that has changed since it was written. If a value is
 * now atomic, the owner of a part of it owns all of it.
 */
export function bySchema(type: FieldType, set: FieldSet): FieldSet {
  return set.collapsed<FieldType | undefined>(type, (element, context) => {
    const below = typeBelow(element, context)
    return { whole: below !== undefined && isWhole(below), below }
  })
}

function typeBelow(element: PathElement, type: FieldType | undefined): FieldType | undefined {
  if (!element.startsWith('f:')) return type?.list?.element
  const { map } = type ?? {}
  return map && fieldOf(map, element.slice(2))
}

function isWhole(type: FieldType): boolean {
  if (type.map) return type.map.atomic && !type.map.open
  return type.scalar === undefined && type.list?.associative === false
}
