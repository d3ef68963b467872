import { getKey, isJsonObject, setKey, type JsonObject, type StructuralSchema } from '@homeostat/api'

/** A value as a server keeps it: without unknown fields, and with the defaults of the schema. */
export function asServed(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.map((item) => asServed(items, item)) : value
  }
  if (!isJsonObject(value)) return value
  const result: JsonObject = {}
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue
    const inner = getKey(schema.properties ?? {}, key) ?? schema.additionalProperties
    if (typeof inner === 'object') setKey(result, key, asServed(inner, entry))
    else if (inner === true || schema['x-kubernetes-preserve-unknown-fields'] || isOfResource(schema, key))
      setKey(result, key, entry)
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (getKey(result, key) === undefined && property.default !== undefined)
      setKey(result, key, asServed(property, structuredClone(property.default)))
  }
  return result
}

function isOfResource(schema: StructuralSchema, key: string): boolean {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  return isEmbedded && (key === 'apiVersion' || key === 'kind' || key === 'metadata')
}
