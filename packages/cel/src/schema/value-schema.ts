import { oncePerObject } from '@homeostat/api'
/** The parts of a structural schema that decide how expressions see its values. Every schema of a CustomResourceDefinition is one. */
export interface ValueSchema {
  readonly type?: string | undefined
  readonly format?: string | undefined
  readonly nullable?: boolean | undefined
  readonly default?: unknown
  readonly enum?: readonly unknown[] | undefined
  readonly required?: readonly string[] | undefined
  readonly maxLength?: number | undefined
  readonly maxItems?: number | undefined
  readonly maxProperties?: number | undefined
  readonly properties?: Readonly<Record<string, ValueSchema>> | undefined
  readonly items?: ValueSchema | undefined
  readonly additionalProperties?: ValueSchema | boolean | undefined
  readonly 'x-kubernetes-embedded-resource'?: boolean | undefined
  readonly 'x-kubernetes-int-or-string'?: boolean | undefined
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | undefined
  readonly 'x-kubernetes-list-type'?: string | undefined
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean | undefined
}

const NO_PROPERTIES: ReadonlyMap<string, ValueSchema> = new Map()

/** The properties of a schema by name. A map, since names such as `constructor` come from outside. */
export function propertiesOf(schema: ValueSchema): ReadonlyMap<string, ValueSchema> {
  return schema.properties ? propertyMap(schema) : NO_PROPERTIES
}

const propertyMap = oncePerObject(
  ({ properties = {} }: ValueSchema): ReadonlyMap<string, ValueSchema> => new Map(Object.entries(properties)),
)

/** The schema of the keys that are not properties, where there is one. */
export function additionalOf(schema: ValueSchema): ValueSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}
