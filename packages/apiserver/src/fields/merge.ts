import { copyJson, getKey, isObject, type JsonObject, setKey, type TypeSchema } from '../schema/index.ts'
import { appliedProblem } from './check-applied.ts'
import { fieldTypeOf, type FieldType, type ListType, type MapType } from './field-type.ts'
import { elementOf, fieldOf, shapeOf } from './list-elements.ts'
import { elementText, fieldElement, type PathElement } from './path-element.ts'

/**
 * Merges the applied value into the live one; removes nothing. The elements of a list are in the applied order, and
 * elements that only the live list has keep their place among them. The result shares its parts with both. Objects
 * and lists that the applied value does not change are those of the live one, so that they need not be compared.
 */
export function merge(type: FieldType, live: unknown, applied: unknown): unknown {
  if (applied === undefined || live === undefined) return applied === undefined ? live : applied
  const shape = shapeOf(type, applied)
  if (shape.kind === 'map' && !shape.type.atomic) {
    const left = isObject(live) ? live : {}
    const right = isObject(applied) ? applied : {}
    if (Object.keys(left).length > 0 || Object.keys(right).length > 0)
      return mergeMaps(shape.type, left, right)
  } else if (shape.kind === 'list' && shape.type.associative) {
    const left = Array.isArray(live) ? live : []
    const right = Array.isArray(applied) ? applied : []
    if (left.length > 0 || right.length > 0) return mergeLists(shape.type, left, right)
  }
  return applied
}

function mergeMaps(map: MapType, live: JsonObject, applied: JsonObject): JsonObject {
  const result: JsonObject = {}
  let changed = false
  for (const name of Object.keys(live)) {
    const over = getKey(applied, name)
    const type = over === undefined ? undefined : fieldOf(map, name)
    const merged = type ? merge(type, live[name], over) : live[name]
    if (merged !== live[name]) changed = true
    setKey(result, name, merged)
  }
  for (const name of Object.keys(applied)) {
    if (Object.hasOwn(live, name)) continue
    setKey(result, name, applied[name])
    changed = true
  }
  return changed ? result : live
}

/** The elements of a list in order, and by path element; null for a duplicate. */
interface Indexed {
  readonly order: readonly PathElement[]
  readonly values: readonly unknown[]
  readonly items: ReadonlyMap<PathElement, unknown>
}

function index(list: ListType, values: readonly unknown[]): Indexed {
  const order: PathElement[] = []
  const known: unknown[] = []
  const items = new Map<PathElement, unknown>()
  for (const value of values) {
    const element = elementOf(list, value)
    if (typeof element !== 'string') continue
    items.set(element, items.has(element) ? null : value)
    order.push(element)
    known.push(value)
  }
  return { order, values: known, items }
}

function mergeLists(
  list: ListType,
  live: readonly unknown[],
  applied: readonly unknown[],
): readonly unknown[] {
  const left = index(list, live)
  const right = index(list, applied)
  const shared = right.order.filter((element) => left.items.has(element))
  const taken = new Set<PathElement>()
  const result: unknown[] = []
  let nextShared = 0
  const take = (element: PathElement): void => {
    taken.add(element)
    const old = left.items.get(element)
    result.push(merge(list.element, old === null ? undefined : old, right.items.get(element)))
    if (shared[nextShared] === element) nextShared++
  }
  let l = 0
  let r = 0
  while (l < left.order.length || r < right.order.length) {
    const mine = left.order[l]
    if (mine !== undefined) {
      if (mine === right.order[r]) {
        take(mine)
        l++
        r++
        continue
      }
      const isShared = right.items.has(mine)
      // An element of both lists, which comes later, in the applied order.
      if (
        isShared &&
        r < right.order.length &&
        shared[nextShared] !== undefined &&
        shared[nextShared] !== mine
      ) {
        l++
        continue
      }
      if (!isShared) {
        result.push(left.values[l])
        l++
        continue
      }
      if (taken.has(mine)) l++
    }
    const theirs = right.order[r]
    if (theirs !== undefined) {
      take(theirs)
      r++
    }
  }
  const changed = result.length !== live.length || result.some((item, place) => item !== live[place])
  return changed ? result : live
}

/** Why a configuration cannot be merged into an object, as kube-apiserver's message. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem'
}

/**
 * Merges a configuration into an object for an admission policy, without owners of the changes. The result shares
 * nothing with either. Fails with `ConfigurationProblem` where a part of the configuration is not in the schema, or
 * would replace a whole list or map.
 */
export function mergeConfiguration(schema: TypeSchema, live: unknown, configuration: unknown): unknown {
  const type = fieldTypeOf(schema)
  const problem = appliedProblem(type, configuration)
  if (problem !== undefined) {
    throw new ConfigurationProblem(`failed to convert patch object to typed object: ${problem}`)
  }
  const atomic = atomicParts(type, configuration, '')
  if (atomic.length > 0) {
    throw new ConfigurationProblem(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    )
  }
  return copyJson(merge(type, live, configuration))
}

/** The paths of the lists and maps that are replaced as a whole. */
function atomicParts(type: FieldType, value: unknown, path: string): string[] {
  const shape = shapeOf(type, value)
  if (shape.kind === 'map' && isObject(value)) {
    const below = Object.keys(value).flatMap((name) => {
      const field = shape.type.field(name)
      return field ? atomicParts(field, value[name], `${path}${elementText(fieldElement(name))}`) : []
    })
    return shape.type.atomic ? [path, ...below] : below
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    const below = value.flatMap((item, index) => atomicParts(shape.type.element, item, `${path}[${index}]`))
    return shape.type.associative ? below : [path, ...below]
  }
  return []
}
