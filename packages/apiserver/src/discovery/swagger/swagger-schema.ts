import { isJsonObject } from '@homeostat/api'
import type { Component } from '../openapi/native-documents.ts'

/** The order in which Kubernetes writes the keys of a schema; extensions follow by name. */
const KEYS = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'items',
  'properties',
  'additionalProperties',
  'externalDocs',
  'example',
  '$ref',
]
const V3 = '#/components/schemas/'
const V2 = '#/definitions/'

/**
 * Converts a schema of OpenAPI v3 to OpenAPI v2. References point to `definitions` and may have a description beside
 * them. OpenAPI v2 has neither defaults nor alternatives; what may be a text or a number in v3 is a text in v2.
 */
export function swaggerSchema(schema: Component): Component {
  const { allOf, oneOf, anyOf, not: _, default: __, nullable: ___, ...rest } = schema
  const result: Record<string, unknown> = { ...rest }
  const reference = referenceOf(rest) ?? onlyReference(allOf)
  if (reference !== undefined) result['$ref'] = reference
  if (Array.isArray(oneOf) && !Array.isArray(anyOf)) result['type'] ??= 'string'
  const { properties, items, additionalProperties } = schema
  if (isJsonObject(properties)) {
    result['properties'] = Object.fromEntries(
      Object.entries(properties)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, property]) => [name, swaggerSchema(componentOf(property))]),
    )
  }
  if (isJsonObject(items)) result['items'] = swaggerSchema(items)
  if (isJsonObject(additionalProperties)) result['additionalProperties'] = swaggerSchema(additionalProperties)
  return inSwaggerOrder(result)
}

/** The schema with its keys in Kubernetes' order. */
export function inSwaggerOrder(schema: Component): Component {
  const ordered = KEYS.filter((key) => schema[key] !== undefined).map((key) => [
    key,
    key === 'externalDocs' ? byName(schema[key]) : schema[key],
  ])
  return { ...Object.fromEntries(ordered), ...extensionsOf(schema) }
}

/** The extensions of a schema or an operation: all keys by name, also those inside. */
export function extensionsOf(part: Component): Component {
  const names = Object.keys(part).filter((key) => key.startsWith('x-kubernetes-'))
  return Object.fromEntries(names.sort().map((name) => [name, byName(part[name])]))
}

function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, byName(part)]))
}

function referenceOf(schema: unknown): string | undefined {
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined
  return typeof reference === 'string' ? reference.replace(V3, V2) : undefined
}

/** The reference in an `allOf` with which a v3 schema adds keywords to a reference. */
function onlyReference(allOf: unknown): string | undefined {
  return Array.isArray(allOf) && allOf.length === 1 ? referenceOf(allOf[0]) : undefined
}

/** The value as a schema; an empty schema for other values. */
export function componentOf(value: unknown): Component {
  return isJsonObject(value) ? value : {}
}
