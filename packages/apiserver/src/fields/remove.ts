import { isObject, type JsonObject, setKey } from '../schema/index.ts'
import type { FieldSet } from './field-set.ts'
import type { FieldType } from './field-type.ts'
import { elementOf, fieldOf, shapeOf } from './list-elements.ts'
import { fieldElement } from './path-element.ts'

/**
 * Removes the fields and elements of a set from a value. An object or list that loses its last part becomes null,
 * which defaulting drops. The result shares unchanged parts with the value.
 */
export function removeFields(type: FieldType, value: unknown, set: FieldSet): unknown {
  const shape = shapeOf(type, value)
  if (shape.kind === 'scalar') return value
  if (shape.kind === 'list') {
    if (!Array.isArray(value) || value.length === 0 || !shape.type.associative) return null
    const kept: unknown[] = []
    for (const item of value) {
      const element = elementOf(shape.type, item)
      if (typeof element !== 'string') kept.push(item)
      else if (!set.has(element)) {
        const below = set.below(element)
        kept.push(below ? removeFields(shape.type.element, item, below) : item)
      }
    }
    return kept.length > 0 ? kept : null
  }
  if (!isObject(value) || shape.type.atomic) return null
  const kept: JsonObject = {}
  let any = false
  for (const name of Object.keys(value)) {
    const element = fieldElement(name)
    if (set.has(element)) continue
    const below = set.below(element)
    const field = below && fieldOf(shape.type, name)
    setKey(kept, name, field ? removeFields(field, value[name], below) : value[name])
    any = true
  }
  return any ? kept : null
}
