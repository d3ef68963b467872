import { nearestName } from '../errors/index.ts'
import { getKey, isJsonObject } from '../json/index.ts'
import type { StructuralSchema } from './structural.ts'

/** A field that a schema does not have, so that an API server drops it. */
export interface UnknownField {
  /** `spec.tags[0].color` */
  readonly path: string
  /** The path without the positions in lists: `spec.tags[].color`. */
  readonly place: string
  /** The name of the most similar field that the schema has in this place. */
  readonly nearest: string | undefined
}

/** The fields of a value that its schema does not have. A value that is undefined counts as left out. */
export function unknownFields(
  schema: StructuralSchema,
  value: unknown,
  path = '',
  place = '',
): readonly UnknownField[] {
  if (Array.isArray(value)) {
    const { items } = schema
    if (!items) return []
    return value.flatMap((item, index) => unknownFields(items, item, `${path}[${index}]`, `${place}[]`))
  }
  if (!isJsonObject(value)) return []
  const { properties = {}, additionalProperties } = schema
  return Object.entries(value).flatMap(([name, field]): readonly UnknownField[] => {
    if (field === undefined) return []
    const fieldPath = below(path, name)
    const fieldPlace = below(place, name)
    const inner = getKey(properties, name) ?? additionalProperties
    if (typeof inner === 'object') return unknownFields(inner, field, fieldPath, fieldPlace)
    if (inner === true || keepsUnknown(schema, name)) return []
    return [{ path: fieldPath, place: fieldPlace, nearest: nearestName(name, Object.keys(properties)) }]
  })
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function keepsUnknown(schema: StructuralSchema, name: string): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true
  const isResource = schema['x-kubernetes-embedded-resource'] === true
  return isResource && (name === 'apiVersion' || name === 'kind' || name === 'metadata')
}
