import type { Resource } from '../../registry/index.ts'
import type { SchemaNode } from '../../schema/index.ts'
import type { Component, SharedParts } from './native-documents.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** The reference to a component. */
export function reference(name: string): Component {
  return { $ref: `#/components/schemas/${name}` }
}

/** `com.example.v1.Widget` for a kind of `example.com`. */
export function componentName(resource: Resource, kind = resource.kind): string {
  return [...resource.group.split('.').reverse(), resource.version, kind].join('.')
}

/** The schema of a custom kind, with the fields of every object. */
export function objectSchema(resource: Resource, shared: SharedParts): Component {
  const { root } = resource.schema
  return {
    ...customNode(root, shared),
    ...(root.type === undefined && { type: 'object' }),
    properties: sorted({
      ...customProperties(root, shared),
      ...typeMeta(shared),
      metadata: metadata('ObjectMeta', "Standard object's metadata.", '#metadata'),
    }),
    ...extensions(resource, resource.kind),
  }
}

/** The schema of a list of a custom kind. */
export function listSchema(resource: Resource, shared: SharedParts): Component {
  const { kind, listKind, plural } = resource
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: sorted({
      ...typeMeta(shared),
      items: {
        description: `List of ${plural}. More info: ${CONVENTIONS}`,
        type: 'array',
        items: reference(componentName(resource)),
      },
      metadata: metadata('ListMeta', 'Standard list metadata.', '#types-kinds'),
    }),
    ...extensions(resource, listKind),
  }
}

const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

function metadata(type: string, description: string, anchor: string): Component {
  return {
    description: `${description} More info: ${CONVENTIONS}${anchor}`,
    allOf: [reference(`${META}.${type}`)],
  }
}

/** `apiVersion` and `kind`, with the descriptions of native types. */
function typeMeta(shared: SharedParts): Record<string, Component> {
  const properties = shared.schemas[`${META}.Status`]?.['properties'] as Record<string, Component> | undefined
  return { apiVersion: properties?.['apiVersion'] ?? {}, kind: properties?.['kind'] ?? {} }
}

function extensions(resource: Resource, kind: string): Component {
  const { group, version, selectableFields = [] } = resource
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(selectableFields.length > 0 && {
      'x-kubernetes-selectable-fields': selectableFields.map((path) => ({
        fieldPath: path.replace(/^\./, ''),
      })),
    }),
  }
}

function customProperties(node: SchemaNode, shared: SharedParts): Record<string, Component> {
  return Object.fromEntries(
    Object.entries(node.properties ?? {}).map(([name, child]) => [name, customNode(child, shared)]),
  )
}

/** A part of a CRD's schema as the documents show it, with its extensions expanded. */
function customNode(node: SchemaNode, shared: SharedParts): Component {
  const { properties, additionalProperties, items, ...rest } = node
  const result: Record<string, unknown> = { ...rest }
  if (properties) result['properties'] = customProperties(node, shared)
  if (additionalProperties !== undefined) {
    result['additionalProperties'] =
      typeof additionalProperties === 'boolean'
        ? additionalProperties
        : customNode(additionalProperties, shared)
  }
  if (items) result['items'] = customNode(items, shared)
  if (node['x-kubernetes-int-or-string'] && !node.anyOf && !node.allOf) {
    result['anyOf'] = [{ type: 'integer' }, { type: 'string' }]
  }
  if (node['x-kubernetes-embedded-resource']) {
    result['properties'] = sorted({ ...customProperties(node, shared), ...embeddedProperties })
    result['required'] = [...new Set([...(node.required ?? []), 'kind', 'apiVersion'])]
  }
  return result
}

/** The fields of an embedded object besides its own. */
export const embeddedProperties: Readonly<Record<string, Component>> = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${CONVENTIONS}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
    type: 'string',
  },
  metadata: metadata('ObjectMeta', "Standard object's metadata.", '#metadata'),
}

function sorted<T>(object: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
