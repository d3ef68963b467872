import type { GoTypes } from './go-types.ts'
import { definitionName, inOrder, type KubernetesSource, type OpenApiSchema } from './kubernetes-source.ts'
import { typeLocation } from './type-modules.ts'

type Json = Record<string, unknown>

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const TEXT = { type: 'string' }
const INT_OR_STRING = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
}
const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'

/** Definitions whose structural schema does not follow from OpenAPI: the forms that controller-gen gives them. */
const KNOWN: Readonly<Record<string, Json>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { ...INT_OR_STRING, pattern: QUANTITY },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': INT_OR_STRING,
  [`${META}.Time`]: { type: 'string', format: 'date-time' },
  [`${META}.MicroTime`]: { type: 'string', format: 'date-time' },
  // Without properties a server would prune the labels of a template.
  [`${META}.ObjectMeta`]: {
    type: 'object',
    properties: {
      annotations: { type: 'object', additionalProperties: TEXT },
      finalizers: { type: 'array', items: TEXT },
      labels: { type: 'object', additionalProperties: TEXT },
      name: TEXT,
      namespace: TEXT,
    },
  },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  },
}

/** Definitions of APIs rather than of what they serve: schemas of schemas have no end. */
const ABOUT_APIS = /^io\.k8s\.(apiextensions-apiserver|kube-aggregator)\./

const KEPT = [
  'type',
  'format',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const

/**
 * `core-v1.ts` and its siblings, and `index.ts`: the structural schema of each type that a custom kind can hold, as
 * controller-gen makes it from the Go type, without descriptions. Each is a value of its own, so that a bundler leaves out
 * those that a program does not use.
 */
export function nativeSchemas(source: KubernetesSource, types: GoTypes): Record<string, string> {
  const usable = [...reachable(source)].filter((name) => isFinite(name, source)).toSorted()
  const modules = new Map<string, SchemaFile>()
  for (const name of usable) {
    const { module, alias } = typeLocation(name)
    if (!modules.has(module)) modules.set(module, new SchemaFile(module, alias, source, types))
    modules.get(module)!.add(name)
  }
  return {
    ...Object.fromEntries([...inOrder(modules)].map(([name, module]) => [`${name}.ts`, module.text()])),
    'index.ts': index(usable),
  }
}

/** Under which name a definition is exported: with its group before it where several groups have one of that name. */
function exportName(definition: string, all: readonly string[]): string {
  const { name, alias } = typeLocation(definition)
  return all.some((other) => other !== definition && typeLocation(other).name === name)
    ? `${alias}${name}`
    : name
}

function index(definitions: readonly string[]): string {
  const lines = definitions.map((definition) => {
    const { module, name } = typeLocation(definition)
    const as = exportName(definition, definitions)
    return [as, `export { ${as === name ? name : `${name} as ${as}`} } from './${module}.ts'`] as const
  })
  return `${lines
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line)
    .join('\n')}\n`
}

/** The types that people write into objects: all that the kinds refer to, except their status and questions to the server. */
function reachable(source: KubernetesSource): Set<string> {
  const found = new Set<string>()
  const visit = (name: string): void => {
    const schema = source.definitions.get(name)
    if (found.has(name) || name in KNOWN || !schema?.properties) return
    found.add(name)
    referencesIn(schema).forEach(visit)
  }
  for (const { definition, kind } of source.kinds) {
    if (ABOUT_APIS.test(definition) || kind.endsWith('Review')) continue
    const {
      metadata: _metadata,
      status: _status,
      ...written
    } = source.definitions.get(definition)!.properties!
    Object.values(written).flatMap(referencesIn).forEach(visit)
  }
  return found
}

/** Whether a definition ends somewhere: a CRD cannot hold a schema that contains itself. */
function isFinite(name: string, source: KubernetesSource, above: readonly string[] = []): boolean {
  if (above.includes(name)) return false
  if (name in KNOWN) return true
  const schema = source.definitions.get(name)
  return !schema || referencesIn(schema).every((part) => isFinite(part, source, [...above, name]))
}

function referencesIn(schema: OpenApiSchema): string[] {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  return [
    ...(reference ? [definitionName(reference)] : []),
    ...Object.values(schema.properties ?? {}).flatMap(referencesIn),
    ...(schema.items ? referencesIn(schema.items) : []),
    ...(schema.additionalProperties ? referencesIn(schema.additionalProperties) : []),
  ]
}

/** One file of schemas, with the imports that they turn out to need. */
class SchemaFile {
  readonly #module: string
  readonly #alias: string
  readonly #source: KubernetesSource
  readonly #types: GoTypes
  readonly #imports = new Map<string, string>()
  readonly #values: string[] = []

  constructor(module: string, alias: string, source: KubernetesSource, types: GoTypes) {
    this.#module = module
    this.#alias = alias
    this.#source = source
    this.#types = types
  }

  add(definition: string): void {
    const { alias, name } = typeLocation(definition)
    const parts: string[] = []
    const schema = this.#schema(this.#source.definitions.get(definition)!, parts)
    const markers = this.#types.markersOf(definition)
    for (const [field, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
      Object.assign(property, validations(markers.get(field) ?? []))
    }
    for (const inlined of this.#types.inlinedIn(definition)) {
      const mapType = this.#source.definitions.get(inlined)?.['x-kubernetes-map-type']
      if (mapType !== undefined) schema['x-kubernetes-map-type'] = mapType
    }
    const text = JSON.stringify(schema)
    const type = `${alias}.${name}`
    const of = parts.length > 0 ? `, () => [${parts.join(', ')}]` : ''
    this.#values.push(
      `/** The schema of \`${type}\`. */`,
      `export const ${name} = /* @__PURE__ */ nativeType<Types.${name}>(${literal(text)}${of})`,
    )
  }

  text(): string {
    const imports = [...inOrder(this.#imports)].map(
      ([module, as]) => `import * as ${as} from './${module}.ts'`,
    )
    return [
      `import { nativeType } from '../../schema/index.ts'`,
      `import type { ${this.#alias} as Types } from '../../native/index.ts'`,
      ...imports,
      '',
      ...this.#values,
      '',
    ].join('\n')
  }

  #schema(schema: OpenApiSchema, parts: string[]): Json {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (reference) {
      const mapType = schema['x-kubernetes-map-type']
      return {
        ...this.#reference(definitionName(reference), parts),
        ...(mapType !== undefined && { 'x-kubernetes-map-type': mapType }),
      }
    }
    const result: Json = {}
    for (const key of KEPT) if (schema[key] !== undefined) result[key] = schema[key]
    if (schema.required) result['required'] = schema.required.toSorted()
    // Bytes are a list in Go and a text in JSON.
    if (schema.type === 'string') delete result['x-kubernetes-list-type']
    if (schema.properties) {
      result['properties'] = Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, this.#schema(property, parts)]),
      )
    }
    if (schema.items) result['items'] = this.#schema(schema.items, parts)
    if (schema.additionalProperties)
      result['additionalProperties'] = this.#schema(schema.additionalProperties, parts)
    if (schema.type === undefined) result['x-kubernetes-preserve-unknown-fields'] = true
    return result
  }

  #reference(definition: string, parts: string[]): Json {
    const known = KNOWN[definition]
    if (known) return structuredClone(known)
    const target = this.#source.definitions.get(definition)!
    if (!target.properties) return { type: 'object' }
    const { module, alias, name } = typeLocation(definition)
    const value = module === this.#module ? name : `${alias}.${name}`
    if (module !== this.#module) this.#imports.set(module, alias)
    if (!parts.includes(value)) parts.push(value)
    return { $ref: parts.indexOf(value) }
  }
}

/** The facts about the values of a Go field that its markers state. */
function validations(markers: readonly string[]): Json {
  const result: Json = {}
  for (const marker of markers) {
    const [, name, value] = /^\+(?:kubebuilder:validation:)?(\w+)=(.*)$/.exec(marker) ?? []
    if (!name || value === undefined) continue
    if (marker.startsWith('+default=')) {
      if (!value.startsWith('ref(')) result['default'] = JSON.parse(value) as unknown
    } else if (marker.startsWith('+kubebuilder:validation:')) {
      if (name === 'Pattern') result['pattern'] = value.replace(/^[`"]|[`"]$/g, '')
      else if (name === 'Enum') result['enum'] = value.split(';')
      else if (['MaxLength', 'MinLength', 'MaxItems', 'MinItems', 'Maximum', 'Minimum'].includes(name))
        result[`${name[0]!.toLowerCase()}${name.slice(1)}`] = Number(value)
    }
  }
  return result
}

function literal(text: string): string {
  return text.includes("'") || text.includes('\\') ? JSON.stringify(text) : `'${text}'`
}
