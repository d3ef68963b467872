import { isObject } from '../schema/index.ts'
import { FieldSet } from './field-set.ts'
import type { FieldType } from './field-type.ts'
import { byElement, fieldOf, shapeOf } from './list-elements.ts'
import { fieldElement, type PathElement } from './path-element.ts'

/** The set of all fields of a value, which its manager owns after an apply. */
export function fieldsOf(type: FieldType, value: unknown): FieldSet {
  const set = new FieldSet()
  collect(type, value, [], set)
  return set
}

function collect(type: FieldType, value: unknown, path: readonly PathElement[], set: FieldSet): void {
  const shape = shapeOf(type, value)
  if (shape.kind === 'scalar') {
    set.insert(path)
  } else if (shape.kind === 'list') {
    const { type: list } = shape
    if (!list.associative) set.insert(path)
    else if (Array.isArray(value)) {
      for (const [element, items] of byElement(list, value)) {
        const inner = [...path, element]
        // Duplicate elements are owned as one.
        if (items.length === 1) collect(list.element, items[0], inner, set)
        set.insert(inner)
      }
    }
  } else if (shape.type.atomic) {
    set.insert(path)
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const inner = [...path, fieldElement(name)]
      const field = fieldOf(shape.type, name)
      const child = value[name]
      if (field) collect(field, child, inner, set)
      const hollow = child === null || (isObject(child) && Object.keys(child).length === 0)
      if (hollow || !shape.type.field(name)) set.insert(inner)
    }
  }
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
 * Adapts the set to a schema that has changed since it was written. The owner of a part of a value owns all of it,
 * where the value is now atomic.
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
