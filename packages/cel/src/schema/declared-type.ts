import { oncePerObject } from '@homeostat/api'
import type { ExpressionScope } from '../check/scope.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  structType,
  TIMESTAMP,
  type Type,
} from '../types/type.ts'
import { additionalOf, propertiesOf, type ValueSchema } from './value-schema.ts'
import { isReserved, ruleNames } from './escape.ts'

/** The most bytes of a request. They limit the sizes that a schema leaves open. */
export const REQUEST_SIZE = 3 * 1024 * 1024

/** The type of a schema's values in rules, and their largest size. */
export interface DeclaredType {
  readonly type: Type
  /** By the names that rules use. */
  readonly fields?: ReadonlyMap<string, DeclaredType>
  readonly key?: DeclaredType
  readonly element?: DeclaredType
  /** The most elements, entries, characters or bytes. */
  readonly maxElements: number
  /** The fewest bytes as JSON. */
  readonly minSize: number
}

/** The fields that rules see in every resource, whatever its schema says. */
const RESOURCE: Readonly<Record<string, ValueSchema>> = {
  kind: { type: 'string' },
  apiVersion: { type: 'string' },
  metadata: { type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } },
}

/** A resource's schema with the fields in it that rules see in every resource. */
export const asResource: (node: ValueSchema) => ValueSchema = oncePerObject((node) => {
  const { kind, apiVersion, metadata } = node.properties ?? {}
  const complete =
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string'
  return complete ? node : { ...node, properties: { ...node.properties, ...RESOURCE } }
})

/**
 * The type of a schema, or `undefined` where rules cannot see its values. `name` distinguishes its objects from
 * others.
 */
export function declaredType(
  schema: ValueSchema,
  resource: boolean,
  name = 'selfType',
): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    const maxElements = schema.maxLength === undefined ? REQUEST_SIZE - 2 : Math.max(schema.maxLength, 0) * 4
    return { type: DYN, maxElements, minSize: 1 }
  }
  const node = resource ? asResource(schema) : schema
  switch (node.type) {
    case 'array':
      return listOf(node, name)
    case 'object':
      return additionalOf(node) ? mapOf(node, name) : objectOf(node, name)
    case 'string':
      return textOf(node)
    case 'boolean':
      return { type: BOOL, maxElements: 0, minSize: 4 }
    case 'number':
      return { type: DOUBLE, maxElements: 0, minSize: 1 }
    case 'integer':
      return { type: INT, maxElements: 0, minSize: 1 }
    default:
      return undefined
  }
}

function child(node: ValueSchema, name: string): DeclaredType | undefined {
  return declaredType(node, node['x-kubernetes-embedded-resource'] === true, name)
}

function listOf(node: ValueSchema, name: string): DeclaredType | undefined {
  const element = node.items && child(node.items, `${name}.@idx`)
  if (!element) return undefined
  const maxElements =
    node.maxItems === undefined
      ? Math.floor((REQUEST_SIZE - 2) / (element.minSize + 1))
      : Math.max(node.maxItems, 0)
  return { type: listType(element.type), element, maxElements, minSize: 2 }
}

function mapOf(node: ValueSchema, name: string): DeclaredType | undefined {
  const element = child(additionalOf(node)!, `${name}.@elem`)
  if (!element) return undefined
  const maxElements =
    node.maxProperties === undefined
      ? Math.floor((REQUEST_SIZE - 2) / (element.minSize + 6))
      : Math.max(node.maxProperties, 0)
  const key: DeclaredType = { type: STRING, maxElements: 0, minSize: 2 }
  return { type: mapType(STRING, element.type), key, element, maxElements, minSize: 2 }
}

function objectOf(node: ValueSchema, name: string): DeclaredType {
  const fields = new Map<string, DeclaredType>()
  const required = new Set(node.required ?? [])
  let minSize = 2
  for (const [property, schema] of propertiesOf(node)) {
    const names = ruleNames(property)
    const field = child(schema, `${name}.${names[0] ?? property}`)
    if (!field) continue
    for (const known of names) fields.set(known, field)
    if (required.has(property) && schema.default === undefined) {
      minSize += new TextEncoder().encode(property).length + field.minSize + 4
    }
  }
  return { type: structType(name), fields, maxElements: 0, minSize }
}

function textOf(node: ValueSchema): DeclaredType {
  const longest = REQUEST_SIZE - 2
  switch (node.format) {
    case 'byte':
      return {
        type: BYTES,
        maxElements: node.maxLength === undefined ? longest : Math.max(node.maxLength, 0),
        minSize: 2,
      }
    case 'duration':
      return { type: DURATION, maxElements: 32, minSize: 3 }
    case 'date':
      return { type: TIMESTAMP, maxElements: 12, minSize: 12 }
    case 'date-time':
      return { type: TIMESTAMP, maxElements: 32, minSize: 21 }
    default:
      return { type: STRING, maxElements: longestText(node, longest), minSize: 2 }
  }
}

/** In bytes: a character has up to four. */
function longestText(node: ValueSchema, otherwise: number): number {
  if (node.maxLength !== undefined) return Math.max(node.maxLength, 0) * 4
  if (!node.enum || node.enum.length === 0) return otherwise
  const encoder = new TextEncoder()
  return node.enum.reduce<number>(
    (most, value) => Math.max(most, typeof value === 'string' ? encoder.encode(value).length : 0),
    0,
  )
}

/** The variables of rules at a type: the value, and the old value. */
export function scopeOf(declared: DeclaredType, oldSelf: Type): ExpressionScope {
  return {
    variables: new Map([
      ['self', declared.type],
      ['oldSelf', oldSelf],
    ]),
    field: structFields([declared]),
  }
}

/** Finds the types of fields by the names of the objects that have them. */
export function structFields(all: Iterable<DeclaredType>): ExpressionScope['field'] {
  const structs = new Map<string, DeclaredType>()
  for (const declared of all) collect(declared, structs)
  return (struct, field) => structs.get(struct)?.fields?.get(field)?.type
}

function collect(declared: DeclaredType, into: Map<string, DeclaredType>): void {
  if (declared.fields) into.set(declared.type.name, declared)
  for (const field of declared.fields?.values() ?? []) collect(field, into)
  if (declared.element) collect(declared.element, into)
}

/**
 * How many elements the value at a path below `self` can have at most. As in Kubernetes, the estimate knows properties by their
 * escaped names alone: `self.namespace` has no bound, although `self.__namespace__` has one.
 */
export function sizeAt(declared: DeclaredType, path: readonly string[]): number | undefined {
  let current: DeclaredType | undefined = declared
  for (const name of path.slice(1)) {
    if (name === '@items' || name === '@values') current = current.element
    else if (name === '@keys') current = current.key
    else current = isReserved(name) ? undefined : current.fields?.get(name)
    if (!current) return undefined
  }
  return current.maxElements
}
