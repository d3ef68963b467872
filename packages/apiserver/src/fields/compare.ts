import { isExactNumber, nearestNumber } from '@homeostat/api'
import { equalJson, getKey, hasSentEmpty, isObject, type JsonObject } from '../schema/index.ts'
import { FieldSet } from './field-set.ts'
import type { FieldType, ListType, MapType } from './field-type.ts'
import { byElement, elementOf, fieldOf, sameShape, shapeOf, type Shape } from './list-elements.ts'
import { fieldElement, type PathElement } from './path-element.ts'

/** The differences between two objects. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

/**
 * Compares two values field by field. A list that is a set or a map by keys is compared element by element, in any
 * order.
 */
export function compare(type: FieldType, before: unknown, after: unknown): Comparison {
  const result: Comparison = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() }
  compareValue(type, before, after, [], result)
  return result
}

function compareValue(
  type: FieldType,
  before: unknown,
  after: unknown,
  path: readonly PathElement[],
  result: Comparison,
): void {
  if (before !== undefined && after !== undefined && !sameShape(type, before, after)) {
    compareShape(shapeOf(type, before), before, after, path, result)
  }
  const leaf = compareShape(shapeOf(type, after === undefined ? before : after), before, after, path, result)
  if (leaf) return
  if (before === undefined) result.added.insert(path)
  else if (after === undefined) result.removed.insert(path)
}

/** Whether the value was compared as a whole. */
function compareShape(
  shape: Shape,
  before: unknown,
  after: unknown,
  path: readonly PathElement[],
  result: Comparison,
): boolean {
  if (shape.kind === 'list' && shape.type.associative) {
    const left = Array.isArray(before) ? before : []
    const right = Array.isArray(after) ? after : []
    if (left.length > 0 || right.length > 0) {
      compareLists(shape.type, left, right, path, result)
      return false
    }
  } else if (shape.kind === 'map' && !shape.type.atomic) {
    const left = isObject(before) ? before : {}
    const right = isObject(after) ? after : {}
    if (Object.keys(left).length > 0 || Object.keys(right).length > 0) {
      compareMaps(shape.type, left, right, path, result)
      return false
    }
  }
  if (before === undefined) result.added.insert(path)
  else if (after === undefined) result.removed.insert(path)
  else if (!isSameValue(before, after)) result.modified.insert(path)
  return true
}

/**
 * As in Kubernetes, an integer equals the floating-point number that is nearest to it: 2^63 - 1 equals 2^63. A list with an object in
 * which a list or map is sent empty differs from one without it, although neither is stored.
 */
function isSameValue(before: unknown, after: unknown): boolean {
  if (isExactNumber(before) !== isExactNumber(after)) return nearestNumber(before) === nearestNumber(after)
  if (!equalJson(before, after)) return false
  return !Array.isArray(after) || !hasSentEmpty(after)
}

function compareMaps(
  map: MapType,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: readonly PathElement[],
  result: Comparison,
): void {
  const visit = (name: string): void => {
    const left = getKey(before, name)
    const right = getKey(after, name)
    // Most parts of two versions of an object are identical.
    if (left === right) return
    const type = fieldOf(map, name)
    if (!type) return
    if (left === undefined) result.added.graft(path, fieldElement(name), allBelow(type, right))
    else compareValue(type, left, right, [...path, fieldElement(name)], result)
  }
  for (const name of Object.keys(before)) visit(name)
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) visit(name)
}

/** All fields below a new value, which count as added; undefined where there are none. */
function allBelow(type: FieldType, value: unknown): FieldSet | undefined {
  // Most values have nothing below them.
  if (isPlain(value)) return undefined
  const shape = shapeOf(type, value)
  if (shape.kind === 'list') {
    return shape.type.associative && Array.isArray(value) ? allElements(shape.type, value) : undefined
  }
  return shape.kind === 'map' && !shape.type.atomic && isObject(value)
    ? allNames(shape.type, value)
    : undefined
}

function allElements(list: ListType, items: readonly unknown[]): FieldSet | undefined {
  const parts = new Map<PathElement, FieldSet | undefined>()
  for (const item of items) {
    const element = elementOf(list, item)
    if (typeof element !== 'string') continue
    // Duplicate elements are added as one.
    parts.set(element, parts.has(element) ? undefined : allBelow(list.element, item))
  }
  return parts.size > 0 ? FieldSet.ofParts(parts) : undefined
}

function allNames(map: MapType, object: JsonObject): FieldSet | undefined {
  const names = Object.keys(object)
  const isLeaf = (name: string): boolean => {
    const value = object[name]
    return value !== undefined && isPlain(value) && fieldOf(map, name) !== undefined
  }
  if (names.every(isLeaf)) return names.length > 0 ? FieldSet.ofNames(names) : undefined
  const parts = new Map<PathElement, FieldSet | undefined>()
  for (const name of names) {
    const value = object[name]
    const inner = value === undefined ? undefined : fieldOf(map, name)
    if (inner) parts.set(fieldElement(name), allBelow(inner, value))
  }
  return parts.size > 0 ? FieldSet.ofParts(parts) : undefined
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function compareLists(
  list: ListType,
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly PathElement[],
  result: Comparison,
): void {
  const left = byElement(list, before)
  const right = byElement(list, after)
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    const inner = [...path, element]
    const old = left.get(element) ?? []
    const now = right.get(element) ?? []
    if (old.length === 0 && now.length === 1) {
      result.added.graft(path, element, allBelow(list.element, now[0]))
    } else if (old.length <= 1 && now.length <= 1) {
      compareValue(list.element, old[0], now[0], inner, result)
    } else if (old.length >= 2 && now.length >= 2) {
      if (!equalJson(old, now)) result.modified.insert(inner)
    } else if (old.length >= 2) {
      if (now.length > 0) compareValue(list.element, undefined, now[0], inner, result)
      result.removed.insert(inner)
    } else {
      if (old.length > 0) compareValue(list.element, old[0], undefined, inner, result)
      result.added.insert(inner)
    }
  }
}
