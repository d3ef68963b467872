import { oncePerObject } from '@homeostat/api'
import { definitions as nativeDefinitions } from './generated/native-resources.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'

const NO_PROPERTIES: ReadonlyMap<string, SchemaNode> = new Map()
const PREFIX = '#/components/schemas/'

/** The metadata of every object, which a CRD's own schema does not describe. */
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
export function resolve({ definitions }: Pick<TypeSchema, 'definitions'>, node: SchemaNode): SchemaNode {
  return node.$ref === undefined ? node : targetsIn(definitions)(node)
}

const targetsIn = oncePerObject((definitions: TypeSchema['definitions']) =>
  oncePerObject((node: SchemaNode): SchemaNode => {
    const name = definitionName(node)
    return definitions[name] ?? nativeDefinitions[name] ?? {}
  }),
)

/** Fields of a JSON schema that hold a schema or something else, such as `items` and `additionalProperties`. */
const SCHEMA_OR = /\.JSONSchemaPropsOr(Array|Bool|StringArray)$/

/** The schema that such a field may hold; for others the node itself. */
export const schemaIn = oncePerObject((node: SchemaNode): SchemaNode => {
  return SCHEMA_OR.test(node.$ref ?? '') ? { $ref: node.$ref?.replace(SCHEMA_OR, '.JSONSchemaProps') } : node
})

/** The name of the definition that a node refers to, such as `io.k8s.api.core.v1.PodSpec`; empty for none. */
export function definitionName(node: SchemaNode): string {
  return node.$ref === undefined ? '' : referredName(node)
}

const referredName = oncePerObject(({ $ref = '' }: SchemaNode) => $ref.slice($ref.lastIndexOf('/') + 1))

/** The properties of a node by name. A map, since names such as `constructor` come from outside. */
export function propertiesOf(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
  return node.properties ? propertyMap(node) : NO_PROPERTIES
}

const propertyMap = oncePerObject(
  ({ properties = {} }: SchemaNode): ReadonlyMap<string, SchemaNode> => new Map(Object.entries(properties)),
)

/** The schema of the keys that are not properties, where there is one. */
export function additionalOf(node: SchemaNode): SchemaNode | undefined {
  return typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
}
