import { oncePerObject } from '@homeostat/api'
import { omittedFields, toWireForm, toWireMetadata } from './wire-form.ts'
import { copyJson, getKey, isObject, setKey, type JsonObject } from './values/json.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { additionalOf, isNative, propertiesOf, resolve } from './type-view.ts'

/**
 * Sets the defaults of the schema, in place. An absent field gets its default. So does a null field whose schema does
 * not allow null; without a default it is dropped. Defaults inside a default, inside lists and inside the values of
 * maps are also set, but no object is created just to hold the defaults below it.
 *
 * `keepNulls` keeps a null without a default, for the result of an apply: there a null is a mistake that validation
 * reports.
 *
 * A native object gets the form in which Kubernetes writes it and the defaults of its OpenAPI document, which are
 * mostly empty objects such as `resources: {}`. The strategy of its kind sets the defaults that Kubernetes computes. With
 * `inWireForm`, it has that form already.
 */
export function applyDefaults(
  schema: TypeSchema,
  value: unknown,
  options: { readonly keepNulls?: boolean; readonly inWireForm?: boolean } = {},
): void {
  const native = isNative(schema)
  if (native) {
    if (!options.inWireForm) toWireForm(schema, value)
  } else if (isObject(value)) {
    toWireMetadata(schema, value['metadata'])
  }
  fill({ schema, keepNulls: native || (options.keepNulls ?? false), filled: 0 }, schema.root, value)
}

/** Thrown when the defaults of an object are so long together that it cannot be stored. */
export class DefaultsTooLong extends Error {}

/** How long the defaults that are filled into one object may be in all, as JSON in characters. */
const MOST_FILLED = 16 * 1024 * 1024

interface Filling {
  readonly schema: TypeSchema
  readonly keepNulls: boolean
  /** The length of the defaults that were filled in so far. */
  filled: number
}

const sizeOfDefault = oncePerObject((node: SchemaNode) => JSON.stringify(node.default).length)

/** A copy of a node's default. A short list of empty objects can have very many of them. */
function defaultOf(filling: Filling, node: SchemaNode): unknown {
  if ((filling.filled += sizeOfDefault(node)) > MOST_FILLED) throw new DefaultsTooLong()
  return copyJson(node.default)
}

function fill(filling: Filling, node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) {
    if (node.items) fillList(filling, node.items, value)
  } else if (isObject(value)) {
    fillObject(filling, node, value)
  }
}

function fillList(filling: Filling, items: SchemaNode, list: unknown[]): void {
  const target = resolve(filling.schema, items)
  for (let index = 0; index < list.length; index++) {
    if (list[index] === null && !items.nullable && items.default !== undefined) {
      list[index] = defaultOf(filling, items)
    }
    fill(filling, target, list[index])
  }
}

/** The properties that have a default: few of many. */
const defaultsOf = oncePerObject((node: SchemaNode) => {
  const omitted = omittedFields(node)
  return [...propertiesOf(node)].filter(
    ([name, { default: value }]) => value !== undefined && !(omitted.has(name) && isZero(value)),
  )
})

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false
}

function fillObject(filling: Filling, node: SchemaNode, object: JsonObject): void {
  const properties = propertiesOf(node)
  for (const [name, property] of defaultsOf(node)) {
    const current = getKey(object, name)
    if (current === undefined || (current === null && !property.nullable)) {
      setKey(object, name, defaultOf(filling, property))
    }
  }
  if (node['x-kubernetes-embedded-resource']) {
    if (object['metadata'] === null) object['metadata'] = {}
    toWireMetadata(filling.schema, object['metadata'])
  }
  const additional = additionalOf(node)
  for (const key of Object.keys(object)) {
    const child = properties.get(key) ?? additional
    if (!child) continue
    if (object[key] === null && !child.nullable) {
      if (child.default === undefined) {
        if (!filling.keepNulls) delete object[key]
        continue
      }
      setKey(object, key, defaultOf(filling, child))
    }
    fill(filling, resolve(filling.schema, child), object[key])
  }
}
