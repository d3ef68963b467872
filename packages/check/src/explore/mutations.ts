import { isJsonObject, type StructuralSchema } from '@homeostat/api'
import type { PlainObject } from '../stories/index.ts'

/** How many changed objects are derived from one. */
const MOST = 24

/**
 * The object with one field of its spec changed, set or removed, in each way that its schema suggests. The API server may refuse
 * some: it has rules that are not checked here.
 */
export function mutationsOf(object: PlainObject, schema: StructuralSchema | undefined): PlainObject[] {
  const content = Object.keys(object).filter(
    (key) => !['apiVersion', 'kind', 'metadata', 'status'].includes(key),
  )
  const mutated = content.flatMap((key) =>
    [...changesOf(object[key], schema?.properties?.[key], true)]
      .filter((value) => value !== undefined)
      .map((value) => ({ ...object, [key]: value })),
  )
  return mutated.slice(0, MOST)
}

/** Other values that a place may have; `undefined` removes it. */
function* changesOf(value: unknown, schema: StructuralSchema | undefined, isRequired: boolean): Generator {
  yield* ownChanges(value, schema)
  if (!isRequired && value !== undefined) yield undefined
}

function* ownChanges(value: unknown, schema: StructuralSchema | undefined): Generator {
  if (Array.isArray(value)) yield* listChanges(value, schema)
  else if (isJsonObject(value)) yield* objectChanges(value, schema)
  else if (typeof value === 'boolean') yield !value
  else if (typeof value === 'number') yield* numberChanges(value, schema)
  else if (typeof value === 'string') yield* textChanges(value, schema)
}

function* objectChanges(
  value: Readonly<Record<string, unknown>>,
  schema: StructuralSchema | undefined,
): Generator {
  const properties = schema?.properties ?? {}
  const required = new Set(schema?.required)
  const isMap = schema?.additionalProperties !== undefined && schema.additionalProperties !== false
  const byField = Object.entries(value).map(([key, part]) => {
    const below = isMap ? mapSchema(schema) : properties[key]
    return [...changesOf(part, below, !isMap && required.has(key))].map((changed) => {
      const { [key]: _, ...rest } = value
      return changed === undefined ? rest : { ...value, [key]: changed }
    })
  })
  yield* inTurn(byField)
  if (isMap) {
    const [first] = Object.values(value)
    const added = first ?? sampleOf(mapSchema(schema))
    if (added !== undefined) yield { ...value, added }
  }
  for (const [key, below] of Object.entries(properties)) {
    if (Object.hasOwn(value, key)) continue
    const added = sampleOf(below)
    if (added !== undefined) yield { ...value, [key]: added }
  }
}

/** The first of each list, then the second of each: where only some are tried, they are of different fields. */
function* inTurn<Item>(lists: readonly (readonly Item[])[]): Generator<Item> {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let place = 0; place < longest; place++) {
    for (const list of lists) if (place < list.length) yield list[place]!
  }
}

function mapSchema(schema: StructuralSchema | undefined): StructuralSchema | undefined {
  const below = schema?.additionalProperties
  return typeof below === 'object' ? below : undefined
}

function* listChanges(value: readonly unknown[], schema: StructuralSchema | undefined): Generator {
  if (value.length > 1) yield value.toReversed()
  if (value.length > 0) yield value.slice(1)
  for (const [index, item] of value.entries()) {
    if (index > 2) break
    for (const changed of ownChanges(item, schema?.items)) yield value.toSpliced(index, 1, changed)
  }
  const [first] = value
  const added = first === undefined ? sampleOf(schema?.items) : [...ownChanges(first, schema?.items)][0]
  if (added !== undefined) yield [...value, added]
}

function* numberChanges(value: number, schema: StructuralSchema | undefined): Generator {
  const { minimum = -Infinity, maximum = Infinity } = schema ?? {}
  // Smaller numbers first: operators have more faults where they must remove objects in an order.
  const others = new Set([value - 1, value + 1, minimum, maximum])
  for (const other of others) {
    if (other !== value && Number.isFinite(other) && other >= minimum && other <= maximum) yield other
  }
}

function* textChanges(value: string, schema: StructuralSchema | undefined): Generator {
  if (schema?.enum) {
    for (const other of schema.enum) if (other !== value) yield other
    return
  }
  yield `${value}2`
  // Code that splits a text must accept it without the last part: an image without its tag.
  const cut = value.replace(/[^A-Za-z0-9][A-Za-z0-9]*$/, '')
  if (cut !== value && cut !== '') yield cut
}

/** Some value that fits a schema; `undefined` where none is easily found. */
function sampleOf(schema: StructuralSchema | undefined): unknown {
  if (!schema) return undefined
  if (schema.default !== undefined) return undefined
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'string':
      return 'added'
    case 'array': {
      const item = sampleOf(schema.items)
      return item === undefined ? undefined : [item]
    }
    case 'object': {
      const inMap = sampleOf(mapSchema(schema))
      if (inMap !== undefined) return { added: inMap }
      const parts = Object.entries(schema.properties ?? {})
        .filter(([key]) => schema.required?.includes(key))
        .map(([key, below]) => [key, sampleOf(below)] as const)
      return parts.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(parts)
    }
    default:
      return undefined
  }
}
