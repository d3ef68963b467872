import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import { conditionsSchema, type ConditionsSchema } from './conditions-schema.ts'
import { IntOrStringSchema } from './int-or-string-schema.ts'
import { ListSchema } from './list-schema.ts'
import { MapSchema } from './map-schema.ts'
import { NumberSchema } from './number-schema.ts'
import type { NativeType } from './native-type.ts'
import { ObjectSchema, type EmbeddedType } from './object-schema.ts'
import { PlainSchema } from './plain-schema.ts'
import type { AnySchema, Shape } from './schema.ts'
import { StringSchema } from './string-schema.ts'
import type { StructuralSchema } from './structural.ts'

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }] as const

/** A quantity as Kubernetes writes it: a decimal number, then an SI or binary suffix or an exponent. */
export const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'

/** An object of any kind inside another object, such as a template. */
export interface EmbeddedResource extends EmbeddedType {
  [key: string]: unknown
}

/** Refuses an optional schema for the items of a list and the values of a map: only a key of an object can be absent. */
type Present<S extends AnySchema> = S extends { readonly isOptional: true }
  ? 'Only a key of an object can be optional: remove optional()'
  : S

/** The requirements of a kind on a type of Kubernetes' own. */
export interface NativeOptions<Name extends string = string> {
  /** Fields that are required although they are optional in Kubernetes' own type. Default: none. */
  readonly required?: readonly Name[] | undefined
}

const NATIVE_OPTIONS = optionNames<NativeOptions>('schema.native', { required: true })

/** A type with some of its optional fields required. */
export type WithRequired<Value, Name extends keyof Value> = Omit<Value, Name> & {
  [Field in Name]-?: NonNullable<Value[Field]>
}

function withRequired(structural: StructuralSchema, names: readonly string[]): StructuralSchema {
  if (names.length === 0) return structural
  const unknown = names.find((name) => !Object.hasOwn(structural.properties ?? {}, name))
  if (unknown !== undefined) {
    throw new HomeostatError(
      'SCHEMA_INVALID',
      `native() cannot require ${JSON.stringify(unknown)}: the type has only the fields ${Object.keys(structural.properties ?? {}).join(', ')}`,
    )
  }
  return { ...structural, required: [...new Set([...(structural.required ?? []), ...names])] }
}

/**
 * Builds structural schemas, and the TypeScript types of the values that they describe. A key of an object is
 * required unless it is optional or has a default.
 */
export const schema = {
  /** An object with these keys. */
  object<const Keys extends Shape>(keys: Keys): ObjectSchema<Keys> {
    return ObjectSchema.of(keys)
  },

  /** An object with any keys, and values of one schema. */
  map<Value extends AnySchema>(value: Present<Value>): MapSchema<Value> {
    return new MapSchema({ type: 'object', additionalProperties: (value as Value).structural })
  },

  /** A list of items of one schema. */
  list<Item extends AnySchema>(item: Present<Item>): ListSchema<Item> {
    return new ListSchema({ type: 'array', items: (item as Item).structural })
  },

  /** The conditions of a status: one for each type. */
  conditions(): ConditionsSchema {
    return conditionsSchema()
  },

  string(): StringSchema {
    return new StringSchema({ type: 'string' })
  },

  /** One of these strings. */
  enum<const Values extends readonly [string, ...string[]]>(...values: Values): StringSchema<Values[number]> {
    return new StringSchema<Values[number]>({ type: 'string', enum: values })
  },

  /** A whole number. */
  integer(): NumberSchema {
    return new NumberSchema({ type: 'integer' })
  },

  number(): NumberSchema {
    return new NumberSchema({ type: 'number' })
  },

  boolean(): PlainSchema<boolean> {
    return new PlainSchema({ type: 'boolean' })
  },

  /** A whole number or a string, such as a port's number or name, or `25%`. */
  intOrString(): IntOrStringSchema {
    return new IntOrStringSchema({ anyOf: INT_OR_STRING, 'x-kubernetes-int-or-string': true })
  },

  /** An amount, such as `100m`, `1.5` or `2Gi`. */
  quantity(): IntOrStringSchema {
    return schema.intOrString().pattern(QUANTITY)
  },

  /** A time in RFC 3339, such as `2026-01-01T12:00:00Z`. */
  timestamp(): PlainSchema<string> {
    return new PlainSchema({ type: 'string', format: 'date-time' })
  },

  /** Anything that JSON can hold, kept as it is. */
  any(): PlainSchema<unknown> {
    return new PlainSchema({ 'x-kubernetes-preserve-unknown-fields': true })
  },

  /**
   * A type of Kubernetes' own API, such as a Pod's template: its TypeScript type, and its structural schema in
   * full. `import { PodTemplateSpec } from 'homeostat/schemas'`, then `s.native(PodTemplateSpec)`. Kubernetes marks
   * some fields as optional that every useful object has, such as the spec of a template:
   * `s.native(JobTemplateSpec, { required: ['spec'] })` requires them, in the TypeScript type and in the schema.
   */
  native<Value, Name extends keyof Value & string = never>(
    type: NativeType<Value>,
    options: NativeOptions<Name> = {},
  ): PlainSchema<[Name] extends [never] ? Value : WithRequired<Value, Name>> {
    checkOptionNames(options, NATIVE_OPTIONS)
    return new PlainSchema(withRequired(type.structural, options.required ?? []))
  },

  /**
   * A schema in its structural form, for what the builder has no method for. The type of its values is not checked
   * against it: `s.structural<Point>({ type: 'object', … })`.
   */
  structural<Value = unknown>(structural: StructuralSchema): PlainSchema<Value> {
    const copy = JSON.parse(JSON.stringify(structural)) as StructuralSchema
    return new PlainSchema<Value>(copy)
  },

  /** A whole object of any kind, kept as it is; its type and metadata are checked. */
  embeddedResource(): PlainSchema<EmbeddedResource> {
    return new PlainSchema({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    })
  },
} as const
