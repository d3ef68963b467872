import type { GoTypes } from './go-types.ts'
import { SCALE } from './kind-module.ts'
import {
  definitionName,
  type KubernetesSource,
  type NativeKind,
  type OpenApiSchema,
} from './kubernetes-source.ts'
import { zeroValues } from './zero-values.ts'

/**
 * The parts of a schema that the server uses; descriptions are most of the rest. The defaults are mostly the zero
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

/** How the module's parts are made. */
interface SchemaModuleOptions {
  /** The groups in the order in which discovery lists them, each with its versions, the preferred first. */
  readonly groups: readonly {
    readonly name: string
    readonly versions: readonly { readonly version: string }[]
  }[]
  readonly types: GoTypes
}

type Json = Record<string, unknown>

/** The kinds of a release as the server keeps them. */
export interface SchemaData {
  /** In the order of discovery. */
  readonly resources: readonly Json[]
  /** The schemas of the kinds and of all that they refer to, by name. */
  readonly definitions: ReadonlyMap<string, Json>
}

/** Reduces the kinds to what the server uses. */
export function schemaData(source: KubernetesSource, options: SchemaModuleOptions): SchemaData {
  const definitions = [...source.definitions].map(([name, schema]): [string, Json] => {
    const zero = zeroValues(options.types, name, schema)
    const node = {
      ...compact(schema, name),
      ...(zero && zero.omitted.length > 0 && { 'x-homeostat-omitted': zero.omitted }),
      ...(zero && zero.nulled.length > 0 && { 'x-homeostat-nulled': zero.nulled }),
    }
    return [name, node]
  })
  return {
    resources: inDiscoveryOrder(source.kinds, options.groups).map(resource),
    definitions: new Map(definitions),
  }
}

/**
 * The server's module: the kinds with their names, and their definitions as JSON text, one on each line.
 * Text is parsed by the engine several times faster than the same literal, and not at all by the compiler.
 */
export function schemaModule({ resources, definitions }: SchemaData): string {
  const text = [...definitions]
    .map(([name, node]) => `${JSON.stringify(name)}:${JSON.stringify(node)}`)
    .join('\n')
  if (/[`\\]|\$\{/.test(text))
    throw new Error('The definitions contain a text that a raw template literal cannot contain')
  return `import { lazyDefinitions } from '../types/lazy-definitions.ts'
import type { NativeResource } from '../types/native-resource.ts'
import type { SchemaNode } from '../types/type-schema.ts'

/** The kinds in the order of discovery: the core group first, in a group the preferred version first. */
export const nativeResources: readonly NativeResource[] = JSON.parse(\`[
${resources.map((kind) => JSON.stringify(kind)).join(',\n')}
]\`) as NativeResource[]

/** The schemas of the kinds and of all that they refer to, by name. A \`$ref\` is \`#/components/schemas/\` and a name. */
export const definitions: Readonly<Record<string, SchemaNode>> = lazyDefinitions(\`${text}\`)
`
}

function inDiscoveryOrder(
  kinds: readonly NativeKind[],
  groups: SchemaModuleOptions['groups'],
): readonly NativeKind[] {
  const order = [
    '/v1',
    ...groups.flatMap(({ name, versions }) => versions.map((one) => `${name}/${one.version}`)),
  ]
  const place = ({ group, version }: NativeKind): number => {
    const index = order.indexOf(`${group}/${version}`)
    if (index < 0) throw new Error(`Discovery does not list ${group}/${version}`)
    return index
  }
  return kinds.toSorted((a, b) => place(a) - place(b) || (a.plural < b.plural ? -1 : 1))
}

function resource(kind: NativeKind): Json {
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
    ...(kind.storageVersionHash && { storageVersionHash: kind.storageVersionHash }),
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
