import { isExactNumber } from '@homeostat/api'
import { getKey, isObject, quote, type JsonObject } from '../schema/index.ts'
import type { FieldType, ListType, MapType } from './field-type.ts'
import { keyElement, oneKeyElement, valueElement, type PathElement } from './path-element.ts'

/** The shape in which a value is processed. */
export type Shape =
  | { readonly kind: 'map'; readonly type: MapType }
  | { readonly kind: 'scalar' }
  | { readonly kind: 'list'; readonly type: ListType }

const SCALAR: Shape = { kind: 'scalar' }

/** The shape of a value by its type. A null or missing value has the first shape that the type allows. */
export function shapeOf(type: FieldType, value: unknown): Shape {
  if (Array.isArray(value) && type.list) return { kind: 'list', type: type.list }
  if (isObject(value) && type.map) return { kind: 'map', type: type.map }
  const scalar = value !== undefined && value !== null && (typeof value !== 'object' || isExactNumber(value))
  if (scalar && type.scalar) return SCALAR
  if (type.map) return { kind: 'map', type: type.map }
  if (type.scalar || !type.list) return SCALAR
  return { kind: 'list', type: type.list }
}

/** Whether two values of a type have the same shape. */
export function sameShape(type: FieldType, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return true
  const one = shapeOf(type, left)
  const other = shapeOf(type, right)
  return one.kind === other.kind
}

/** The path element of an element in a set or a map by keys, or a text that says why it has none. */
export function elementOf(list: ListType, item: unknown): PathElement | { readonly problem: string } {
  if (list.keys.length === 0) {
    if (isObject(item)) return { problem: "associative list without keys has an element that's a map type" }
    if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' }
    if (item === null)
      return { problem: "associative list without keys has an element that's an explicit null" }
    return valueElement(item)
  }
  if (item === null) return { problem: 'associative list with keys may not have a null element' }
  if (!isObject(item)) return { problem: 'associative list with keys may not have non-map elements' }
  const [first] = list.keys
  if (first !== undefined && list.keys.length === 1) {
    // Most lists have one key.
    const value = keyIn(list, item, first)
    if (value !== undefined) return oneKeyElement(first, value)
  } else {
    const keys: [key: string, value: unknown][] = []
    for (const key of list.keys) {
      const value = keyIn(list, item, key)
      if (value !== undefined) keys.push([key, value])
    }
    if (keys.length > 0) return keyElement(keys)
  }
  const names = list.keys.map((key) => quote(key)).join(' ')
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  }
}

/** The value of a key of an element. A null key counts as a key. */
function keyIn(list: ListType, item: JsonObject, key: string): unknown {
  const own = getKey(item, key)
  return own === undefined ? list.keyDefaults.get(key) : own
}

/** The elements of a list by their path elements; those without one are left out. */
export function byElement(list: ListType, items: readonly unknown[]): Map<PathElement, unknown[]> {
  const result = new Map<PathElement, unknown[]>()
  for (const item of items) {
    const element = elementOf(list, item)
    if (typeof element !== 'string') continue
    const known = result.get(element)
    if (known) known.push(item)
    else result.set(element, [item])
  }
  return result
}

/** The type of a field of an object. */
export function fieldOf(map: MapType, name: string): FieldType | undefined {
  return map.field(name) ?? map.element
}
