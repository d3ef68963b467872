import { isObject, type JsonObject } from './values/json.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { additionalOf, isNative, propertiesOf, RESOURCE_FIELDS, resolve, schemaIn } from './type-view.ts'

/**
 * Drops, in place, the fields that are not in the schema, and returns their paths as field validation names them:
 * `spec.foo`, `spec.list[0].bar`; sorted for custom resources. A subtree that preserves unknown fields keeps them;
 * the properties in its schema are still pruned. The metadata of the object and of embedded resources are pruned by
 * Kubernetes' own schema. Some fields are dropped and not returned: those of features that are off, and those of schemas in a
 * definition's `items`, `additionalProperties` and `dependencies`.
 */
export function prune(
  schema: TypeSchema,
  value: unknown,
  { keepsMetadata = false }: { readonly keepsMetadata?: boolean } = {},
): string[] {
  const pruning: Pruning = { schema, native: isNative(schema), keepsMetadata, unknown: [] }
  pruneNode(pruning, schema.root, value, '', !pruning.native)
  return pruning.native ? pruning.unknown : pruning.unknown.sort()
}

/**
 * The type of a CRD's `subresources.status`: a Go struct without fields. OpenAPI describes it like a type that allows
 * any field, but the server drops its fields.
 */
const EMPTY_STRUCT =
  '#/components/schemas/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus'
const EMPTY: SchemaNode = { type: 'object', properties: {} }

interface Pruning {
  readonly schema: TypeSchema
  readonly native: boolean
  readonly keepsMetadata: boolean
  readonly unknown: string[]
}

function pruneNode(
  pruning: Pruning,
  node: SchemaNode | undefined,
  value: unknown,
  path: string,
  resource: boolean,
): void {
  if (Array.isArray(value)) {
    const items = node?.items && resolve(pruning.schema, node.items)
    if (!items && keepsUnknown(pruning, node)) return
    const open = node?.['x-kubernetes-preserve-unknown-fields'] === true
    for (const [index, item] of value.entries()) {
      const at = `${path}[${index}]`
      // A list that preserves unknown fields does so in its elements.
      if (open && isObject(item)) pruneObject(pruning, items, item, at, isEmbedded(items), true)
      else pruneNode(pruning, items, item, at, isEmbedded(items))
    }
  } else if (isObject(value)) {
    pruneObject(pruning, node, value, path, resource)
  }
}

function pruneObject(
  pruning: Pruning,
  node: SchemaNode | undefined,
  object: JsonObject,
  path: string,
  resource: boolean,
  open = false,
): void {
  const properties = node && propertiesOf(node)
  const additional = node && additionalOf(node)
  const keep = open || keepsUnknown(pruning, node)
  for (const key of Object.keys(object)) {
    if (resource && pruning.keepsMetadata && key === 'metadata') continue
    const child = (resource ? RESOURCE_FIELDS.get(key) : undefined) ?? properties?.get(key) ?? additional
    const childPath = path === '' ? key : `${path}.${key}`
    if (child?.['x-homeostat-disabled'] === true) delete object[key]
    else if (child && schemaIn(child) !== child) pruneSchemaOr(pruning, schemaIn(child), object[key])
    else if (child) {
      const target = child.$ref === EMPTY_STRUCT ? EMPTY : resolve(pruning.schema, child)
      pruneNode(pruning, target, object[key], childPath, isEmbedded(target))
    } else if (!keep) {
      pruning.unknown.push(childPath)
      delete object[key]
    }
  }
}

/** Prunes a field that holds a schema, a list of schemas or something else. Kubernetes reports nothing of what it drops there. */
function pruneSchemaOr(pruning: Pruning, inner: SchemaNode, value: unknown): void {
  const silent: Pruning = { ...pruning, unknown: [] }
  const target = resolve(pruning.schema, inner)
  for (const part of Array.isArray(value) ? value : [value]) pruneNode(silent, target, part, '', false)
}

function isEmbedded(node: SchemaNode | undefined): boolean {
  return node?.['x-kubernetes-embedded-resource'] === true
}

/** A native type without properties, or a node without a type, is open: the document says no more about it. */
function keepsUnknown(pruning: Pruning, node: SchemaNode | undefined): boolean {
  if (!node) return false
  if (node['x-kubernetes-preserve-unknown-fields'] === true) return true
  if (node.additionalProperties === true) return true
  return pruning.native && !node.properties && additionalOf(node) === undefined
}
