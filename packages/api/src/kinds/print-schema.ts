import { QUANTITY, type StructuralSchema } from '../schema/index.ts'
import { printName, printString, printValue } from './print-value.ts'

/**
 * The expression of the schema builder that makes a structural schema, with `s` for the builder. Parts that the
 * builder cannot express are written in their structural form, so that only their types are lost.
 */
export function printSchema(schema: StructuralSchema, indent = ''): string {
  const clean = withoutFalse(schema)
  const parts = baseOf(clean, indent) ?? structural(clean, indent)
  return parts + commonMethods(clean, indent)
}

type Key = keyof StructuralSchema

/** The keys that every schema of the builder can set by a method. */
const COMMON: readonly Key[] = [
  'title',
  'description',
  'nullable',
  'x-kubernetes-validations',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'default',
]

const INT_OR_STRING = JSON.stringify([{ type: 'integer' }, { type: 'string' }])

function baseOf(schema: StructuralSchema, indent: string): string | undefined {
  if (schema['x-kubernetes-int-or-string']) return intOrString(schema)
  switch (schema.type) {
    case 'string':
      return string(schema)
    case 'integer':
    case 'number':
      return number(schema)
    case 'boolean':
      return has(schema, []) ? 's.boolean()' : undefined
    case 'array':
      return list(schema, indent)
    case 'object':
      return object(schema, indent)
    default:
      return has(schema, ['x-kubernetes-preserve-unknown-fields']) ? 's.any()' : undefined
  }
}

function intOrString(schema: StructuralSchema): string | undefined {
  const keys = ['pattern', 'minimum', 'maximum', 'minLength', 'maxLength'] as const
  if (schema.anyOf && JSON.stringify(schema.anyOf) !== INT_OR_STRING) return undefined
  if (!has(schema, ['x-kubernetes-int-or-string', ...keys])) return undefined
  if (schema.pattern === QUANTITY && has(schema, ['x-kubernetes-int-or-string', 'pattern']))
    return 's.quantity()'
  return `s.intOrString()${methods(schema, keys)}`
}

function string(schema: StructuralSchema): string | undefined {
  if (schema.format === 'date-time' && has(schema, ['format'])) return 's.timestamp()'
  if (!has(schema, ['format', 'pattern', 'minLength', 'maxLength', 'enum'])) return undefined
  if (schema.enum && !isListOf(schema.enum, 'string')) return undefined
  const limits = methods(schema, ['format', 'pattern', 'minLength', 'maxLength'])
  return schema.enum ? `s.enum(${valuesOf(schema.enum)})${limits}` : `s.string()${limits}`
}

const NUMBER_FORMATS: readonly unknown[] = ['int32', 'int64', 'float', 'double', undefined]

function number(schema: StructuralSchema): string | undefined {
  const keys: Key[] = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
  if (!has(schema, [...keys, 'multipleOf', 'format', 'enum'])) return undefined
  if (!NUMBER_FORMATS.includes(schema.format)) return undefined
  if (schema.enum && !isListOf(schema.enum, 'number')) return undefined
  const { minimum, maximum } = schema
  return [
    `s.${schema.type}()`,
    methods(schema, ['format']),
    minimum === undefined ? '' : `.${schema.exclusiveMinimum ? 'greaterThan' : 'min'}(${minimum})`,
    maximum === undefined ? '' : `.${schema.exclusiveMaximum ? 'lessThan' : 'max'}(${maximum})`,
    methods(schema, ['multipleOf']),
    schema.enum ? `.enum(${valuesOf(schema.enum)})` : '',
  ].join('')
}

function list(schema: StructuralSchema, indent: string): string | undefined {
  const { items } = schema
  const keys = ['minItems', 'maxItems'] as const
  if (!items || !has(schema, ['items', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', ...keys]))
    return undefined
  const item = printSchema(items, indent)
  const mapKeys = schema['x-kubernetes-list-map-keys']
  const type = schema['x-kubernetes-list-type']
  if (type === 'map' && !(item.startsWith('s.object(') && mapKeys?.every((key) => items.properties?.[key])))
    return undefined
  const merge = type === 'map' ? `.mapBy(${valuesOf(mapKeys ?? [])})` : type ? `.${type}()` : ''
  return `s.list(${item})${merge}${methods(schema, keys)}`
}

function object(schema: StructuralSchema, indent: string): string | undefined {
  const { properties = {}, additionalProperties, required = [] } = schema
  const limits = ['minProperties', 'maxProperties'] as const
  const mapType = schema['x-kubernetes-map-type']
  const merge = mapType ? `.${mapType}()` : ''
  if (additionalProperties) {
    if (
      additionalProperties === true ||
      !has(schema, ['additionalProperties', 'x-kubernetes-map-type', ...limits])
    )
      return undefined
    return `s.map(${printSchema(additionalProperties, indent)})${merge}${methods(schema, limits)}`
  }
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  const preserved = schema['x-kubernetes-preserve-unknown-fields'] === true
  const flags: Key[] = ['x-kubernetes-embedded-resource', 'x-kubernetes-preserve-unknown-fields']
  if (!has(schema, ['properties', 'required', 'x-kubernetes-map-type', ...limits, ...flags])) return undefined
  if (required.some((name) => !properties[name])) return undefined
  const bare = Object.keys(properties).length === 0
  if (embedded && preserved && bare && merge === '' && has(schema, flags)) return 's.embeddedResource()'
  return [
    bare ? 's.object({})' : `s.object({\n${printKeys(schema, `${indent}  `)}${indent}})`,
    merge,
    methods(schema, limits),
    embedded ? '.embeddedResource()' : '',
    preserved ? '.preserveUnknown()' : '',
  ].join('')
}

/** The method that sets whether a key may be absent; none where the schema alone says it. */
export function printPresence(schema: StructuralSchema, isRequired: boolean): string {
  if (hasDefault(schema)) return isRequired ? '.required()' : ''
  return isRequired ? '' : '.optional()'
}

/** The keys of an object, a line for each. */
export function printKeys(schema: StructuralSchema, indent: string): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const presence = printPresence(property, schema.required?.includes(name) === true)
      return `${indent}${printName(name)}: ${printSchema(property, indent)}${presence},\n`
    })
    .join('')
}

const TYPES = {
  object: 'Record<string, unknown>',
  array: 'unknown[]',
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
} as const

/** The TypeScript type of the values, as far as the schema says it. */
function typeOf(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'number | string'
  return schema.type ? TYPES[schema.type] : 'unknown'
}

/** The structural form itself, for schemas that the builder cannot make. */
function structural(schema: StructuralSchema, indent: string): string {
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !COMMON.includes(key as Key)))
  return `s.structural<${typeOf(schema)}>(${printValue(rest, indent)})`
}

function commonMethods(schema: StructuralSchema, indent: string): string {
  const impliedAnyOf = schema['x-kubernetes-int-or-string'] && baseOf(schema, indent) !== undefined
  const junctors = (['allOf', 'anyOf', 'oneOf'] as const).filter((key) => key !== 'anyOf' || !impliedAnyOf)
  return [
    methods(schema, ['title']),
    schema.description === undefined ? '' : `.describe(${printString(schema.description)})`,
    schema.nullable ? '.nullable()' : '',
    ...junctors.map((key) => {
      const parts = schema[key]?.map((part) => printValue(part, indent)).join(', ')
      return parts === undefined ? '' : `.${key}(${parts})`
    }),
    schema.not === undefined ? '' : `.not(${printValue(schema.not, indent)})`,
    ...(schema['x-kubernetes-validations'] ?? []).map(({ rule, message, ...options }) => {
      if (rule === 'self == oldSelf' && message === 'value is immutable' && isEmpty(options))
        return '.immutable()'
      const given = isEmpty(options)
        ? message === undefined
          ? []
          : [printString(message)]
        : [message === undefined ? 'undefined' : printString(message), printValue(options, indent)]
      return `.rule(${[printString(rule), ...given].join(', ')})`
    }),
    hasDefault(schema) ? `.default(${printValue(schema.default, indent)})` : '',
  ].join('')
}

const METHODS: Partial<Record<Key, string>> = { minimum: 'min', maximum: 'max' }

/** A call for each of these keys that the schema has. */
function methods(schema: StructuralSchema, keys: readonly Key[]): string {
  return keys
    .filter((key) => schema[key] !== undefined)
    .map((key) => `.${METHODS[key] ?? key}(${printValue(schema[key])})`)
    .join('')
}

/** Whether a schema has no keys but its type, those that every schema may have, and these. */
function has(schema: StructuralSchema, keys: readonly Key[]): boolean {
  return (Object.keys(schema) as Key[]).every(
    (key) => key === 'type' || COMMON.includes(key) || keys.includes(key),
  )
}

/** A server ignores a default of null. */
function hasDefault(schema: StructuralSchema): boolean {
  return schema.default !== undefined && schema.default !== null
}

/** Removes flags that are false and lists that are empty: they have no effect. */
function withoutFalse(schema: StructuralSchema): StructuralSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) =>
        key === 'default' ||
        !(
          value === undefined ||
          value === null ||
          value === false ||
          (Array.isArray(value) && value.length === 0)
        ),
    ),
  )
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}

function isListOf(values: readonly unknown[], type: 'string' | 'number'): boolean {
  return values.every((value) => typeof value === type)
}

function valuesOf(values: readonly unknown[]): string {
  return values.map((value) => printValue(value)).join(', ')
}
