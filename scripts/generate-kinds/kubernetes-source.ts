import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goModule } from '../kubernetes/go-module.ts'

/** A kind to generate. */
export interface WantedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** A subresource as discovery lists it. */
interface Subresource {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}

/** A wanted kind with what Kubernetes says about it. */
export interface NativeKind extends WantedKind {
  readonly definition: string
  readonly plural: string
  readonly singular: string
  readonly scope: 'Namespaced' | 'Cluster'
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  /** Names the version that objects are stored in, for clients that migrate them; absent where nothing is stored. */
  readonly storageVersionHash?: string | undefined
}

/** A schema as the OpenAPI v3 documents of Kubernetes write it. */
export interface OpenApiSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema
  readonly items?: OpenApiSchema
  readonly allOf?: readonly OpenApiSchema[]
  readonly oneOf?: readonly OpenApiSchema[]
  readonly 'x-kubernetes-group-version-kind'?: readonly WantedKind[]
  readonly [extension: string]: unknown
}

/** The wanted kinds, and every definition that they refer to, by name in alphabetical order. */
export interface KubernetesSource {
  readonly kinds: readonly NativeKind[]
  readonly definitions: ReadonlyMap<string, OpenApiSchema>
}

/** The resources of a group and version. */
export interface DiscoveryDocument {
  readonly resources: readonly {
    readonly name: string
    readonly singularName: string
    readonly namespaced: boolean
    readonly kind: string
    readonly group?: string
    readonly version?: string
    readonly verbs: readonly string[]
    readonly shortNames?: readonly string[]
    readonly categories?: readonly string[]
    readonly storageVersionHash?: string
  }[]
}

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> }
}

const REFERENCE = '#/components/schemas/'

/** The same map with its keys in alphabetical order. */
export function inOrder<T>(map: ReadonlyMap<string, T>): Map<string, T> {
  return new Map([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The name that a `$ref` refers to. */
export function definitionName(reference: string): string {
  return reference.slice(REFERENCE.length)
}

/** Reads the wanted kinds from the API documents in a folder; of `types` the definitions alone. */
export function readSource(
  api: string,
  wanted: readonly WantedKind[],
  types: readonly WantedKind[] = [],
): KubernetesSource {
  const discovered = new Map<string, DiscoveryDocument>()
  const all = new Map<string, OpenApiSchema>()
  for (const { group, version } of wanted) {
    const name = group === '' ? `api__${version}` : `apis__${group}__${version}`
    if (discovered.has(name)) continue
    const openApi = readJson(join(api, 'openapi-spec/v3', `${name}_openapi.json`)) as OpenApiDocument
    discovered.set(name, readJson(join(api, 'discovery', `${name}.json`)) as DiscoveryDocument)
    for (const [definition, schema] of Object.entries(openApi.components.schemas)) all.set(definition, schema)
  }
  const kinds = wanted.map((kind) => {
    const name = kind.group === '' ? `api__${kind.version}` : `apis__${kind.group}__${kind.version}`
    return nativeKind(kind, discovered.get(name)!, all)
  })
  const definitions = new Map<string, OpenApiSchema>()
  for (const { definition } of kinds) collect(definition, all, definitions)
  for (const type of types) {
    const definition = definitionOf(type, all)
    if (!definition) throw new Error(`The OpenAPI documents do not define ${type.kind}: correct the list`)
    collect(definition, all, definitions)
  }
  return { kinds, definitions: inOrder(definitions) }
}

function nativeKind(
  wanted: WantedKind,
  discovery: DiscoveryDocument,
  definitions: ReadonlyMap<string, OpenApiSchema>,
): NativeKind {
  const { group, version, kind } = wanted
  const resource = discovery.resources.find((entry) => entry.kind === kind && !entry.name.includes('/'))
  const definition = definitionOf(wanted, definitions)
  if (!resource || !definition) {
    throw new Error(
      `Kubernetes serves no ${kind} in ${group || 'core'}/${version}: correct the list of kinds`,
    )
  }
  return {
    group,
    version,
    kind,
    definition,
    plural: resource.name,
    singular: resource.singularName,
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    verbs: resource.verbs,
    storageVersionHash: resource.storageVersionHash,
    subresources: discovery.resources
      .filter((entry) => entry.name.startsWith(`${resource.name}/`))
      .map((entry) => ({
        name: entry.name.slice(resource.name.length + 1),
        group: entry.group ?? group,
        version: entry.version ?? version,
        kind: entry.kind,
        verbs: entry.verbs,
      })),
  }
}

/** The name of the definition that describes a kind. */
function definitionOf(
  { group, version, kind }: WantedKind,
  definitions: ReadonlyMap<string, OpenApiSchema>,
): string | undefined {
  return [...definitions].find(([, schema]) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (type) => type.group === group && type.version === version && type.kind === kind,
    ),
  )?.[0]
}

function collect(
  name: string,
  all: ReadonlyMap<string, OpenApiSchema>,
  found: Map<string, OpenApiSchema>,
): void {
  if (found.has(name)) return
  const schema = all.get(name)
  if (!schema) throw new Error(`The OpenAPI documents refer to ${name} but do not define it`)
  found.set(name, schema)
  for (const reference of references(schema)) collect(reference, all, found)
}

function* references(schema: OpenApiSchema): Generator<string> {
  if (schema.$ref) yield definitionName(schema.$ref)
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.allOf ?? [])]
  if (schema.items) inner.push(schema.items)
  if (schema.additionalProperties) inner.push(schema.additionalProperties)
  for (const part of inner) yield* references(part)
}

/** Where one version of Kubernetes has its API documents. */
export function apiFolder(version: string): string {
  return join(moduleFolder('k8s.io/kubernetes', version), 'api')
}

/** Reads one of the documents. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** Where a Go module of Kubernetes lies, after Go has fetched it if need be. */
export function moduleFolder(name: string, version: string): string {
  return goModule(`${name}@${version}`)
}
