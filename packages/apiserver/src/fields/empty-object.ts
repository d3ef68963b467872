import { oncePerObject } from '@homeostat/api'
import {
  isNative,
  type JsonObject,
  nulledFields,
  propertiesOf,
  resolve,
  type SchemaNode,
  setKey,
  type TypeSchema,
} from '../schema/index.ts'

const partsOf = oncePerObject((schema: TypeSchema) => emptyParts(schema, schema.root))

/**
 * The empty object of a type, with which a new object is compared. In a native type, fields that are not pointers
 * always exist, so that they have no owner; required fields are null.
 */
export function emptyObject(schema: TypeSchema, apiVersion: unknown, kind: unknown): JsonObject {
  if (!isNative(schema)) return { apiVersion, kind }
  return { ...partsOf(schema), apiVersion, kind }
}

function emptyParts(schema: TypeSchema, node: SchemaNode): JsonObject {
  const target = resolve(schema, node)
  const nulled = nulledFields(target)
  const result: JsonObject = {}
  for (const [name, property] of propertiesOf(target)) {
    if (property.default !== undefined && property.$ref !== undefined) {
      setKey(result, name, emptyParts(schema, property))
    } else if (isZero(property.default)) {
      setKey(result, name, property.default)
    } else if (nulled.has(name)) {
      setKey(result, name, null)
    }
  }
  return result
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false
}
