import {
  applyDefaults,
  embeddedProblem,
  isObject,
  type JsonObject,
  objectOf,
  prune,
  type SchemaNode,
} from '../../schema/index.ts'

/** Any resource: its metadata are those of every object, and it may have all other fields. */
const RESOURCE = {
  root: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  definitions: {},
} as const

/**
 * Brings the metadata of resources in the defaults of a schema into the form in which Kubernetes writes them, in place. Metadata that
 * cannot be read are left to validation.
 */
export function writeDefaultsMetadata(root: JsonObject): void {
  walk(root, true)
}

function walk(node: JsonObject, root: boolean): void {
  const value = node['default']
  if (isObject(value) || Array.isArray(value)) {
    const schema: SchemaNode = root ? { ...node, 'x-kubernetes-embedded-resource': true } : node
    if (!embeddedProblem({ root: schema, definitions: {} }, value)) write(schema, value)
  }
  if (isObject(node['items'])) walk(node['items'], false)
  for (const property of Object.values(objectOf(node['properties']))) {
    if (isObject(property)) walk(property, false)
  }
}

function write(node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) if (node.items) write(node.items, item)
    return
  }
  if (!isObject(value)) return
  if (node['x-kubernetes-embedded-resource'] === true && value['metadata'] !== undefined) {
    value['metadata'] ??= {}
    prune(RESOURCE, value)
    applyDefaults(RESOURCE, value)
  }
  const properties = objectOf(node.properties)
  for (const [key, child] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : node.additionalProperties
    if (isObject(property)) write(property, child)
  }
}
