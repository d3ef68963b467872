import { oncePerObject } from '@homeostat/api'
import { noteEmpty } from './values/sent-empty.ts'
import { nulledFields } from './wire-form.ts'
import { isObject, type JsonObject } from './values/json.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { additionalOf, isNative, propertiesOf, resolve } from './type-view.ts'

/** Where a native type holds lists and maps that are null when they are empty. */
interface Plan {
  readonly nulled: readonly string[]
  /** The fields below which there are more. */
  readonly below: ReadonlyMap<string, Plan>
  /** Those of the items of a list or the values of a map. */
  readonly items: Plan | undefined
}

const wholePlan = oncePerObject((schema: TypeSchema) => planOf(schema, schema.root, new Set()))

/**
 * Replaces, in place, empty lists that are always written by null: Kubernetes' store does not distinguish an empty
 * list from an absent one. The field manager still owns such a list.
 */
export function nullEmptyLists(schema: TypeSchema, object: JsonObject): void {
  if (!isNative(schema)) return
  const plan = wholePlan(schema)
  if (plan) follow(plan, object)
}

function follow(plan: Plan, value: unknown): void {
  if (plan.items) {
    for (const item of Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []) {
      follow(plan.items, item)
    }
    return
  }
  if (!isObject(value)) return
  for (const name of plan.nulled) {
    if (!isEmptyCollection(value[name])) continue
    noteEmpty(value, name)
    value[name] = null
  }
  for (const [name, inner] of plan.below) if (value[name] !== undefined) follow(inner, value[name])
}

function isEmptyCollection(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

/** Undefined where there are none. `above` are the types that the node is part of, so that a type which contains itself ends. */
function planOf(schema: TypeSchema, node: SchemaNode, above: ReadonlySet<SchemaNode>): Plan | undefined {
  const target = resolve(schema, node)
  if (above.has(target)) return undefined
  const inside = new Set([...above, target])
  const element = target.items ?? additionalOf(target)
  if (element) {
    const items = planOf(schema, element, inside)
    return items && { nulled: [], below: new Map(), items }
  }
  const properties = propertiesOf(target)
  const nulled = [...nulledFields(target)].filter((name) => isCollection(schema, properties.get(name)))
  const below = new Map<string, Plan>()
  for (const [name, property] of properties) {
    const plan = planOf(schema, property, inside)
    if (plan) below.set(name, plan)
  }
  return nulled.length > 0 || below.size > 0 ? { nulled, below, items: undefined } : undefined
}

function isCollection(schema: TypeSchema, node: SchemaNode | undefined): boolean {
  if (!node) return false
  const target = resolve(schema, node)
  return target.type === 'array' || additionalOf(target) !== undefined
}
