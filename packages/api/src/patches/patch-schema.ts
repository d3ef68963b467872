/** The facts about the fields of a type that a strategic merge patch needs. */
export interface PatchSchema {
  /** The field of that name, or for a map the entry at that key. Unknown fields have none. */
  field(name: string): PatchField | undefined
  /** The name of the type in Go: `ObjectMeta`. Maps and plain values have no name. */
  readonly typeName?: string | undefined
  /** Whether it is a map. Kubernetes cannot merge lists or objects in one. Default: false. */
  readonly isMap?: boolean | undefined
}

/** How a strategic merge patch treats one field. */
export interface PatchField {
  /** `merge` and `replace` say what happens to a list or an object; without either a list is replaced. */
  readonly strategies: readonly string[]
  /** The field that identifies the items of a list; absent for lists of plain values. */
  readonly mergeKey?: string | undefined
  /** The type of the value, or of the items of a list. */
  readonly schema: PatchSchema
}

/** The part of an OpenAPI schema that a strategic merge patch reads. */
export interface PatchSchemaSource {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, PatchSchemaSource>>
  readonly additionalProperties?: PatchSchemaSource | boolean
  readonly items?: PatchSchemaSource
  readonly allOf?: readonly PatchSchemaSource[]
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
}

/**
 * Reads an OpenAPI schema as a strategic merge patch needs it. A `$ref` is looked up in the definitions by
 * the text after its last slash.
 */
export function patchSchemaOf(
  source: PatchSchemaSource,
  definitions: Readonly<Record<string, PatchSchemaSource>>,
): PatchSchema {
  const type = resolve(source, definitions)
  const reference = referenceOf(source)
  return {
    isMap: !type.properties && typeof type.additionalProperties === 'object',
    typeName: type.additionalProperties ? undefined : reference?.slice(reference.lastIndexOf('.') + 1),
    field(name) {
      const known =
        type.properties && Object.hasOwn(type.properties, name) ? type.properties[name] : undefined
      const entry = typeof type.additionalProperties === 'object' ? type.additionalProperties : undefined
      const field = known ?? entry
      if (!field) return undefined
      const resolved = resolve(field, definitions)
      return {
        strategies: field['x-kubernetes-patch-strategy']?.split(',') ?? [],
        mergeKey: field['x-kubernetes-patch-merge-key'],
        schema: patchSchemaOf(resolved.items ?? field, definitions),
      }
    },
  }
}

function resolve(
  source: PatchSchemaSource,
  definitions: Readonly<Record<string, PatchSchemaSource>>,
): PatchSchemaSource {
  const reference = referenceOf(source)
  return reference === undefined ? source : (definitions[reference] ?? {})
}

/** The name of the definition that a schema refers to: `io.k8s.api.core.v1.Pod`. */
function referenceOf(source: PatchSchemaSource): string | undefined {
  const reference = source.$ref ?? source.allOf?.[0]?.$ref
  return reference?.slice(reference.lastIndexOf('/') + 1)
}
