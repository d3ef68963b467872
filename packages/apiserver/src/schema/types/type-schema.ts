import type { StructuralSchema } from '@homeostat/api'

/**
 * The schema of a type that the server serves. Native types refer to shared definitions by `$ref`; the
 * schema of a CRD holds none. `definitions` resolves them.
 *
 * The properties of native types keep every `default` of the OpenAPI document, also `{}`, `0`, `""` and `false`:
 * these say that the field is not a pointer and is always written. They decide what the server answers (`resources:
 * {}`, `replicas: 0`), which manager owns which field, and how a list element without a key is identified (`protocol:
 * TCP`).
 */
export interface TypeSchema {
  readonly root: SchemaNode
  readonly definitions: Readonly<Record<string, SchemaNode>>
}

/** A structural schema that may also refer to a definition, and says how a strategic merge patch treats it. */
export interface SchemaNode extends Omit<
  StructuralSchema,
  'properties' | 'additionalProperties' | 'items' | 'allOf'
> {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly allOf?: readonly SchemaNode[]
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  /** Whether a field of a native type is dropped without a warning, since its feature is off by default in the release. */
  readonly 'x-homeostat-disabled'?: boolean
  /** The fields of a native type that are left out when they are empty, zero or false. */
  readonly 'x-homeostat-omitted'?: readonly string[]
  /** The fields of a native type that are null, rather than absent, when they are not set. */
  readonly 'x-homeostat-nulled'?: readonly string[]
}
