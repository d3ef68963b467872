import type { StructuralSchema } from '@homeostat/api'

/** Values that are simpler than a value in one place and still fit the schema. */
export function* simplerValues(schema: StructuralSchema, value: unknown): Generator {
  if (Array.isArray(value)) yield* simplerLists(schema, value)
  else if (typeof value === 'object' && value !== null)
    yield* simplerObjects(schema, value as Record<string, unknown>)
  else if (typeof value === 'string') yield* simplerTexts(schema, value)
  else if (typeof value === 'number' && !schema.enum && schema.multipleOf === undefined) {
    for (const simple of [schema.minimum ?? 0, 1]) {
      const fits = simple >= (schema.minimum ?? simple) && simple <= (schema.maximum ?? simple)
      const isBound = schema.exclusiveMinimum && simple === schema.minimum
      if (fits && !isBound && Math.abs(simple) < Math.abs(value)) yield simple
    }
  }
}

function* simplerObjects(schema: StructuralSchema, value: Record<string, unknown>): Generator {
  const keys = Object.keys(value)
  for (const key of keys) {
    const property = schema.properties?.[key]
    const needed = schema.required?.includes(key) || property?.default !== undefined
    if (needed || keys.length <= (schema.minProperties ?? 0)) continue
    const { [key]: _, ...rest } = value
    yield rest
  }
  for (const key of keys) {
    const inner = schema.properties?.[key] ?? schema.additionalProperties
    if (typeof inner !== 'object') continue
    for (const simple of simplerValues(inner, value[key])) yield { ...value, [key]: simple }
  }
}

function* simplerLists(schema: StructuralSchema, value: readonly unknown[]): Generator {
  if (value.length > (schema.minItems ?? 0)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
  }
  if (!schema.items || schema['x-kubernetes-list-type'] === 'set') return
  for (const [index, item] of value.entries()) {
    for (const simple of simplerValues(schema.items, item)) yield value.with(index, simple)
  }
}

function* simplerTexts(schema: StructuralSchema, value: string): Generator {
  if (
    schema.pattern !== undefined ||
    schema.format !== undefined ||
    schema.enum ||
    (schema.minLength ?? 0) > 1
  )
    return
  if (value.length > 1) yield 'a'
}
