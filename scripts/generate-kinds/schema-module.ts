import { SCALE } from './kind-module.ts'
import {
  definitionName,
  type KubernetesSource,
  type NativeKind,
  type OpenApiSchema,
} from './kubernetes-source.ts'

/**
 * What of a schema the server uses; descriptions are most of the rest. The defaults are mostly the zero
 * values of Go's types: they say that a field is always written, and what null means there.
 */
const KEPT = [
  'type',
  'format',
  'required',
  'default',
  'enum',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
] as const

/**
 * The server's module: the kinds with their names, and their definitions as JSON text, one on each line.
 * Text is parsed by the engine several times faster than the same literal, and not at all by the compiler.
 */
export function schemaModule(source: KubernetesSource): string {
  const definitions = [...source.definitions].map(
    ([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(compact(schema, name))}`,
  )
  const text = `{\n${definitions.join(',\n')}\n}`
  if (/[`\\]|\$\{/.test(text)) throw new Error('The definitions hold what a raw template literal cannot')
  return `import type { ScaleSubresource, Scope } from '@homeostat/api'
import type { SchemaNode } from '../type-schema.ts'

/** A native kind in one version, as Kubernetes serves it. \`definition\` names its schema. */
export interface NativeResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly scope: Scope
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: { readonly status: boolean; readonly scale?: ScaleSubresource | undefined }
  /** All subresources as discovery lists them in Kubernetes, also those that need a kubelet. */
  readonly discoveredSubresources: readonly NativeSubresource[]
  readonly definition: string
}

/** A subresource of a native kind, with the type that it takes and answers. */
export interface NativeSubresource {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** The kinds in the order of their groups: core first. */
export const nativeResources: readonly NativeResource[] = JSON.parse(\`[
${source.kinds.map((kind) => JSON.stringify(resource(kind))).join(',\n')}
]\`) as NativeResource[]

/** The schemas of the kinds and of all that they refer to, by name. A \`$ref\` is \`#/components/schemas/\` and a name. */
export const definitions: Readonly<Record<string, SchemaNode>> = JSON.parse(\`${text}\`) as Record<string, SchemaNode>
`
}

function resource(kind: NativeKind): Record<string, unknown> {
  const has = (name: string) => kind.subresources.some((entry) => entry.name === name)
  return {
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    plural: kind.plural,
    singular: kind.singular,
    listKind: `${kind.kind}List`,
    scope: kind.scope,
    shortNames: kind.shortNames,
    categories: kind.categories,
    verbs: kind.verbs,
    subresources: { status: has('status'), ...(has('scale') ? { scale: SCALE } : {}) },
    discoveredSubresources: kind.subresources,
    definition: kind.definition,
  }
}

function compact(schema: OpenApiSchema, definition: string): Record<string, unknown> {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (reference && (schema.allOf?.length ?? 1) !== 1) throw new Error(`${definition}: more than one allOf`)
  const result: Record<string, unknown> = reference
    ? { $ref: `#/components/schemas/${definitionName(reference)}` }
    : {}
  for (const key of KEPT) if (schema[key] !== undefined) result[key] = schema[key]
  if (schema.properties) {
    result.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, compact(property, definition)]),
    )
  }
  if (schema.items) result.items = compact(schema.items, definition)
  if (schema.additionalProperties) {
    result.additionalProperties = compact(schema.additionalProperties, definition)
  }
  if (schema.format === 'int-or-string') result['x-kubernetes-int-or-string'] = true
  else if (schema.oneOf) result.oneOf = schema.oneOf
  else if (!reference && isOpen(schema)) result['x-kubernetes-preserve-unknown-fields'] = true
  return result
}

/** An object of which nothing is known, or anything at all. */
function isOpen(schema: OpenApiSchema): boolean {
  if (schema.type === undefined) return true
  return schema.type === 'object' && !schema.properties && !schema.additionalProperties
}
