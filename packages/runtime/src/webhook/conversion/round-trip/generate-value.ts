import { timestamp, type StructuralSchema } from '@homeostat/api'
import { samplePattern } from './sample-pattern.ts'

/** The inputs of generated values. */
export interface Generation {
  /** A number from 0 to below 1. */
  readonly random: () => number
  /** Values for fields by their paths; items of lists and maps have the path of their field with `[]`. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
}

/** Texts with the characters that converters split and join at. */
const TEXTS = ['a', 'b1', 'web', 'x-y', 'é', 'a:b', 'a/b', 'a,b', 'x y', '0', 'true']

/**
 * A value that fits the types and bounds of a schema, as a server would store it: with all fields that are required or have a
 * default, and with some of the others. Rules in CEL and constraints such as `anyOf` are ignored.
 */
export function generateValue(schema: StructuralSchema, path: string, generation: Generation): unknown {
  const { random } = generation
  const given = generation.values[path]
  if (given) return structuredClone(pick(given, random))
  if (schema.nullable && random() < 0.1) return null
  if (schema.default !== undefined && random() < 0.3) return structuredClone(schema.default)
  if (schema.enum && schema.enum.length > 0) return pick(schema.enum, random)
  if (schema['x-kubernetes-int-or-string']) return random() < 0.5 ? integer(schema, random) : '1'
  switch (schema.type) {
    case 'object':
      return object(schema, path, generation)
    case 'array':
      return list(schema, path, generation)
    case 'string':
      return text(schema, random)
    case 'integer':
      return integer(schema, random)
    case 'number':
      return schema.multipleOf === undefined ? integer(schema, random) + 0.5 : integer(schema, random)
    case 'boolean':
      return random() < 0.5
    case undefined:
      return { any: pick(TEXTS, random) }
  }
}

function object(schema: StructuralSchema, path: string, generation: Generation): Record<string, unknown> {
  const { random } = generation
  const result: Record<string, unknown> = schema['x-kubernetes-embedded-resource']
    ? { apiVersion: 'v1', kind: 'ConfigMap' }
    : {}
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(key) || property.default !== undefined
    if (needed || random() < 0.6)
      result[key] = generateValue(property, path === '' ? key : `${path}.${key}`, generation)
  }
  const { additionalProperties: others } = schema
  if (others !== undefined && others !== false) {
    const least = schema.minProperties ?? 0
    const count = Math.min(least + Math.floor(random() * 3), schema.maxProperties ?? Number.POSITIVE_INFINITY)
    for (let index = 0; index < count; index++) {
      const value = others === true ? pick(TEXTS, random) : generateValue(others, `${path}[]`, generation)
      result[`key${index}`] = value
    }
  }
  return result
}

function list(schema: StructuralSchema, path: string, generation: Generation): unknown[] {
  const { random } = generation
  const least = schema.minItems ?? 0
  const count = Math.min(least + Math.floor(random() * 3), schema.maxItems ?? Number.POSITIVE_INFINITY)
  const items: unknown[] = []
  const seen = new Set<string>()
  for (let tries = 0; items.length < count && tries < 20; tries++) {
    const item = generateValue(schema.items ?? {}, `${path}[]`, generation)
    const identity = identityOf(schema, item)
    if (identity !== undefined && seen.has(identity)) continue
    if (identity !== undefined) seen.add(identity)
    items.push(item)
  }
  return items
}

/** The key by which the items of the list must differ. */
function identityOf(schema: StructuralSchema, item: unknown): string | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return JSON.stringify(item)
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined
  const fields = item as Record<string, unknown>
  return JSON.stringify((schema['x-kubernetes-list-map-keys'] ?? []).map((key) => fields[key]))
}

function text(schema: StructuralSchema, random: () => number): string {
  if (schema.format === 'date-time') return timestamp(1_700_000_000_000 + Math.floor(random() * 1e9) * 1_000)
  if (schema.pattern !== undefined) return samplePattern(schema.pattern, random)
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const value = pick(minLength === 0 ? [...TEXTS, ''] : TEXTS, random)
  return Array.from(value.padEnd(minLength, 'a')).slice(0, maxLength).join('')
}

function integer(schema: StructuralSchema, random: () => number): number {
  const factor = schema.multipleOf ?? 1
  const least = Math.ceil(((schema.minimum ?? -2) + (schema.exclusiveMinimum ? 1 : 0)) / factor)
  const most = Math.floor(
    ((schema.maximum ?? Math.max(100, least + 100)) - (schema.exclusiveMaximum ? 1 : 0)) / factor,
  )
  return (least + Math.floor(random() * Math.max(1, most - least + 1))) * factor
}

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)]!
}
