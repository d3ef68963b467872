import type { GoField, GoTypes } from './go-types.ts'
import { definitionName, type OpenApiSchema } from './kubernetes-source.ts'

/** How the fields of a definition are written when they are not set. */
export interface ZeroValues {
  /** Left out when they are empty, zero or false. */
  readonly omitted: readonly string[]
  /** Written as null. */
  readonly nulled: readonly string[]
}

/** Types that are structs in Go, but write null when they hold nothing. */
const NULL_WHEN_EMPTY = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
])

/** Where objects are stored as JSON: an empty list stays one there, while elsewhere it comes back as null. */
const STORED_AS_JSON = /^io\.k8s\.(apiextensions-apiserver|kube-aggregator)\./

/** The fields that every kind has from a type that it includes; they are always written. */
const TYPE_META = new Set(['apiVersion', 'kind'])

/** Reads from the Go type of a definition which of its fields are left out and which are null. */
export function zeroValues(
  types: GoTypes,
  definition: string,
  schema: OpenApiSchema,
): ZeroValues | undefined {
  const fields = types.fieldsOf(definition)
  if (!fields) return undefined
  const omitted: string[] = []
  const nulled: string[] = []
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = fields.get(name)
    if (!field && TYPE_META.has(name)) continue
    if (!field) throw new Error(`The Go type of ${definition} has no field ${name}`)
    switch (zeroOf(field, property)) {
      case 'omitted':
        omitted.push(name)
        break
      case 'null':
        if (!STORED_AS_JSON.test(definition) || property.$ref || property.allOf) nulled.push(name)
    }
  }
  return { omitted, nulled }
}

function zeroOf({ type, options }: GoField, property: OpenApiSchema): 'omitted' | 'null' | 'written' {
  const reference = property.$ref ?? property.allOf?.[0]?.$ref
  const omitted = options.has('omitempty') || options.has('omitzero')
  if (reference && !type.startsWith('*') && !/^\[|^map/.test(type)) {
    // A struct is never left out for being empty, unless the tag says omitzero.
    if (!NULL_WHEN_EMPTY.has(definitionName(reference))) return 'written'
    return options.has('omitzero') ? 'written' : 'null'
  }
  if (type.startsWith('*')) return omitted ? 'written' : 'null'
  const collection = property.type === 'array' || property.type === 'object' || property.format === 'byte'
  if (omitted) return 'omitted'
  return collection ? 'null' : 'written'
}
