import type { Resource } from '../../registry/resource.ts'
import type { SchemaNode } from '../../schema/type-schema.ts'

/** A component of an OpenAPI v3 document: a schema whose references lead to other components. */
export type Component = Readonly<Record<string, unknown>>

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const OBJECT_META = `${META}.ObjectMeta`
const LIST_META = `${META}.ListMeta`

/** The schemas of one document. Each is added once, with all that it refers to. */
export class Components {
  readonly schemas: Record<string, Component> = {}
  #shared: Readonly<Record<string, SchemaNode>>

  /** `shared` holds the definitions that kinds of CRDs may refer to as well: the metadata. */
  constructor(shared: Readonly<Record<string, SchemaNode>>) {
    this.#shared = shared
  }

  /** The reference to the resource's own type, which is added with its group, version and kind. */
  object(resource: Resource): Component {
    const name = componentName(resource)
    if (!this.schemas[name]) {
      const { root, definitions } = resource.schema
      const node = root.$ref === undefined ? root : (definitions[definitionName(root.$ref)] ?? {})
      const types = { 'x-kubernetes-group-version-kind': [typeOf(resource, resource.kind)] }
      // The name is taken before the fields are walked: a type may refer to itself.
      this.schemas[name] = types
      this.schemas[name] = { ...this.#convert(envelope(node, resource), definitions), ...types }
    }
    return reference(name)
  }

  /** The reference to the list type of the resource. */
  list(resource: Resource): Component {
    const name = `${componentName(resource)}List`
    this.schemas[name] ??= {
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: this.#definition(LIST_META, this.#shared),
        items: { type: 'array', items: this.object(resource) },
      },
      'x-kubernetes-group-version-kind': [typeOf(resource, resource.listKind)],
    }
    return reference(name)
  }

  #definition(name: string, definitions: Readonly<Record<string, SchemaNode>>): Component {
    const node = definitions[name] ?? this.#shared[name]
    if (!node) return { type: 'object' }
    if (!this.schemas[name]) {
      this.schemas[name] = {}
      this.schemas[name] = this.#convert(node, definitions)
    }
    return reference(name)
  }

  #convert(node: SchemaNode, definitions: Readonly<Record<string, SchemaNode>>): Component {
    const { $ref, properties, additionalProperties, items, allOf, ...rest } = node
    const converted: Record<string, unknown> = { ...rest }
    if (properties) {
      converted.properties = Object.fromEntries(
        Object.entries(properties).map(([name, child]) => [name, this.#convert(child, definitions)]),
      )
    }
    if (additionalProperties !== undefined) {
      converted.additionalProperties =
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : this.#convert(additionalProperties, definitions)
    }
    if (items) converted.items = this.#convert(items, definitions)
    if (allOf) converted.allOf = allOf.map((child) => this.#convert(child, definitions))
    if (node['x-kubernetes-int-or-string'] && !node.anyOf) {
      converted.anyOf = [{ type: 'integer' }, { type: 'string' }]
    }
    if ($ref === undefined) return converted
    const target = this.#definition(definitionName($ref), definitions)
    // Readers ignore what stands beside a reference, so it moves one level in.
    return Object.keys(converted).length === 0 ? target : { ...converted, allOf: [target] }
  }
}

/** What every object has, also where a CRD's schema does not say so. */
function envelope(node: SchemaNode, resource: Resource): SchemaNode {
  if (!resource.custom) return node
  return {
    ...node,
    type: 'object',
    properties: {
      ...node.properties,
      apiVersion: { type: 'string', ...node.properties?.apiVersion },
      kind: { type: 'string', ...node.properties?.kind },
      metadata: { $ref: OBJECT_META },
    },
  }
}

/** `io.k8s.api.apps.v1.Deployment` as it is defined, or `com.example.v1.Widget` for a kind of `example.com`. */
function componentName(resource: Resource): string {
  const { $ref } = resource.schema.root
  if ($ref !== undefined) return definitionName($ref)
  const group = resource.group === '' ? 'io.k8s.api.core' : resource.group.split('.').reverse().join('.')
  return `${group}.${resource.version}.${resource.kind}`
}

function definitionName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

function reference(name: string): Component {
  return { $ref: `#/components/schemas/${name}` }
}

function typeOf(resource: Resource, kind: string): Component {
  return { group: resource.group, kind, version: resource.version }
}
