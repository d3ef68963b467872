import type { Resource } from '../../registry/index.ts'
import type { SchemaNode } from '../../schema/index.ts'
import { componentName, embeddedProperties, listSchema, objectSchema } from '../openapi/custom-schema.ts'
import type { Component, SharedParts } from '../openapi/native-documents.ts'
import { componentOf, inSwaggerOrder, swaggerSchema } from './swagger-schema.ts'

/** The definitions of a custom kind and its list. */
export function customDefinitions(resource: Resource, shared: SharedParts): [string, Component][] {
  return [
    [componentName(resource), objectDefinition(resource, shared)],
    [componentName(resource, resource.listKind), swaggerSchema(listSchema(resource, shared))],
  ]
}

/**
 * A kind that keeps unknown fields has no properties, not even metadata: kubectl refuses every field that a definition with
 * properties does not name.
 */
function objectDefinition(resource: Resource, shared: SharedParts): Component {
  const { root } = resource.schema
  const { properties, ...around } = objectSchema(
    { ...resource, schema: { root: {}, definitions: {} } },
    shared,
  )
  if (root['x-kubernetes-preserve-unknown-fields']) return inSwaggerOrder({ ...around, type: 'object' })
  const own = customNode(root)
  const { metadata, apiVersion, kind } = componentOf(swaggerSchema({ properties })['properties'])
  return inSwaggerOrder({
    ...around,
    ...own,
    properties: sorted({ ...componentOf(own['properties']), apiVersion, kind, metadata }),
  })
}

/**
 * A part of a CRD's schema for a client that knows OpenAPI v2 alone. It has neither alternatives nor `nullable`; where
 * a value may be null or hold unknown fields, the definition leaves its type open, so that the client refuses nothing.
 */
function customNode(node: SchemaNode): Component {
  const { nullable, allOf: _, anyOf: __, oneOf: ___, not: ____, default: _____, ...rest } = node
  const open = node['x-kubernetes-preserve-unknown-fields'] === true
  const result: Record<string, unknown> = { ...rest }
  if (nullable || open) {
    delete result['items']
    delete result['properties']
  }
  if (nullable || (open && node.type === 'object')) delete result['type']
  if (result['items'] === undefined && result['type'] === 'array') delete result['type']
  const required = requiredFields(node, result['properties'] !== undefined)
  if (required.length > 0) result['required'] = required
  else delete result['required']

  const { additionalProperties } = node
  if (result['items'] !== undefined) result['items'] = customNode(node.items ?? {})
  if (result['properties'] !== undefined) {
    const entries = Object.entries(node.properties ?? {}).map(([name, child]) => [name, customNode(child)])
    result['properties'] = sorted(Object.fromEntries(entries))
  }
  if (typeof additionalProperties === 'object') {
    result['additionalProperties'] = customNode(additionalProperties)
  }
  if (node['x-kubernetes-embedded-resource'] && !open) embed(result)
  return inSwaggerOrder(result)
}

/** A field that may be null is not required: a client takes a null for a missing field. */
function requiredFields(node: SchemaNode, withProperties: boolean): readonly string[] {
  const { required = [], properties = {}, additionalProperties } = node
  if (typeof additionalProperties === 'object' && additionalProperties.nullable) return []
  return withProperties ? required.filter((name) => !properties[name]?.nullable) : required
}

/** Adds the fields of an object that stands inside another. */
function embed(schema: Record<string, unknown>): void {
  const { properties } = swaggerSchema({ properties: embeddedProperties })
  schema['properties'] = sorted({
    ...componentOf(schema['properties']),
    ...componentOf(properties),
  })
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  schema['required'] = [...new Set([...required, 'kind', 'apiVersion'])]
}

function sorted(object: Component): Component {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
