import { isObject } from '../schema/index.ts'
import { FieldSet } from './field-set.ts'
import type { FieldType } from './field-type.ts'
import { byElement, fieldOf, shapeOf } from './list-elements.ts'
import { fieldElement, type PathElement } from './path-element.ts'

/** The set of all fields that a value mentions, which its manager owns after an apply. */
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
        // Elements that are there twice are owned together, as one.
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
 * The set with the fields that a schema names as members wherever something below them is. Such fields are not
 * owned themselves, since they always are there, but they go when all below them goes.
 */
export function withNamedFields(type: FieldType, set: FieldSet): FieldSet {
  return set.withMembers<FieldType | undefined>(type, (element, context) => {
    const named = element.startsWith('f:') && context?.map?.field(element.slice(2)) !== undefined
    return { member: named, below: typeBelow(element, context) }
  })
}

/**
 * The set by a schema that may have changed since it was written: where something is now owned as a whole, who owned
 * a part of it owns all of it.
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
