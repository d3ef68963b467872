import { optionalType, type Type } from '../types/type.ts'
import { OptionalValue, type Value } from '../values/value.ts'
import { asResource, declaredType, type DeclaredType } from './declared-type.ts'
import { schemaValue } from './schema-value.ts'
import type { ValueSchema } from './value-schema.ts'

/** How expressions see the values of a schema. */
export interface SchemaVariableOptions {
  /** Whether the values are whole resources: then `apiVersion`, `kind` and `metadata.name` are there. Default: false. */
  readonly resource?: boolean | undefined
}

/**
 * A variable whose type a structural schema gives, as `self` in the rules of a CustomResourceDefinition. Use one for all
 * variables of the same schema, so that they have the same type: `{ self: spec, oldSelf: spec }`.
 */
export class SchemaVariable {
  readonly schema: ValueSchema
  readonly resource: boolean
  readonly isOptional: boolean

  constructor(schema: ValueSchema, { resource = false }: SchemaVariableOptions = {}, isOptional = false) {
    this.schema = schema
    this.resource = resource
    this.isOptional = isOptional
  }

  /** A variable of the same schema whose value may be absent: `oldSelf` with `optionalOldSelf`. */
  optional(): SchemaVariable {
    return new SchemaVariable(this.schema, { resource: this.resource }, true)
  }

  /** The type, under the name that messages show; undefined where expressions cannot see values of the schema. */
  declare(name: string): DeclaredType | undefined {
    return declaredType(this.schema, this.resource, name)
  }

  typeOf(declared: DeclaredType): Type {
    return this.isOptional ? optionalType(declared.type) : declared.type
  }

  valueOf(value: unknown): Value {
    if (this.isOptional && value === undefined) return OptionalValue.none
    const seen = schemaValue(value, this.resource ? asResource(this.schema) : this.schema)
    return this.isOptional ? new OptionalValue(seen) : seen
  }
}
