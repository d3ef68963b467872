import { definitions as nativeDefinitions } from './generated/native-resources.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'

const NO_PROPERTIES: ReadonlyMap<string, SchemaNode> = new Map()
const properties = new WeakMap<SchemaNode, ReadonlyMap<string, SchemaNode>>()
/** A node belongs to one schema, so that what it refers to is always the same. */
const targets = new WeakMap<SchemaNode, SchemaNode>()
const names = new WeakMap<SchemaNode, string>()
const PREFIX = '#/components/schemas/'

/** The metadata of every object. A CRD's own schema says nothing about it. */
export const OBJECT_META: SchemaNode = {
  $ref: `${PREFIX}io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`,
  default: {},
}

/** The fields that every resource has besides those of its schema. */
export const RESOURCE_FIELDS: ReadonlyMap<string, SchemaNode> = new Map<string, SchemaNode>([
  ['apiVersion', { type: 'string' }],
  ['kind', { type: 'string' }],
  ['metadata', OBJECT_META],
])

/** Whether the type is one of Kubernetes' own: such types drop and default differently from a CRD's. */
export function isNative(schema: TypeSchema): boolean {
  return schema.root.$ref !== undefined || propertiesOf(schema.root).get('metadata')?.$ref !== undefined
}

/** The node itself, or the definition that it refers to. */
export function resolve(schema: TypeSchema, node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node
  let target = targets.get(node)
  if (!target) {
    const name = definitionName(node)
    targets.set(node, (target = schema.definitions[name] ?? nativeDefinitions[name] ?? {}))
  }
  return target
}

/** The name of the definition that a node refers to, such as `io.k8s.api.core.v1.PodSpec`; empty for none. */
export function definitionName(node: SchemaNode): string {
  if (node.$ref === undefined) return ''
  let name = names.get(node)
  if (name === undefined) names.set(node, (name = node.$ref.slice(node.$ref.lastIndexOf('/') + 1)))
  return name
}

/** The properties of a node by name. A map, since names such as `constructor` come from outside. */
export function propertiesOf(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
  if (!node.properties) return NO_PROPERTIES
  let known = properties.get(node)
  if (!known) properties.set(node, (known = new Map(Object.entries(node.properties))))
  return known
}

/** The schema of the keys that are no properties, where there is one. */
export function additionalOf(node: SchemaNode): SchemaNode | undefined {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
}
