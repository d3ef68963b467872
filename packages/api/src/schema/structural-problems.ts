import type { StructuralSchema } from './structural.ts'

/** A schema that may hold anything: it came from a file, or from another library. */
type ForeignSchema = Readonly<Record<string, unknown>>

/**
 * The reasons why one schema, without the parts below it, is not structural. Each is a sentence that names the field
 * and the remedy. The builder makes only structural schemas; schemas from elsewhere are often JSON Schema.
 */
export function structuralProblems(schema: StructuralSchema, path: string): string[] {
  const foreign = schema as ForeignSchema
  return [
    ...keyProblems(foreign, path),
    ...typeProblems(schema, path),
    ...extensionProblems(schema, path),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((junctor) =>
      (schema[junctor] ?? []).flatMap((part, index) =>
        isTypeOfIntOrString(schema, junctor, index)
          ? []
          : constraintProblems(part, `${path}, ${junctor}[${index}]`),
      ),
    ),
    ...(schema.not ? constraintProblems(schema.not, `${path}, not`) : []),
  ]
}

/** Keys of JSON Schema that a CRD refuses or drops, and what to write for them. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    $ref: 'write the schema that it refers to in its place',
    $defs: 'write each definition where it is used',
    definitions: 'write each definition where it is used',
    dependencies: 'use a CEL rule',
    patternProperties: 'use additionalProperties for the values and a CEL rule for the keys',
    additionalItems: 'leave it out',
    const: 'use an enum with one value',
    if: 'use a CEL rule',
    propertyNames: 'use a CEL rule',
    contains: 'use a CEL rule',
    prefixItems: 'use items, and a CEL rule for what differs by position',
  }),
)

function keyProblems(schema: ForeignSchema, path: string): string[] {
  const problems = [...REFUSED.keys()]
    .filter((key) => schema[key] !== undefined)
    .map((key) => `${path}: a CRD cannot hold ${key}: ${REFUSED.get(key)}`)
  for (const [key, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = schema[key]
    if (typeof value === 'number')
      problems.push(`${path}: ${key} is a number: give it as ${limit}, with ${key}: true`)
    else if (value === true && schema[limit] === undefined)
      problems.push(`${path}: ${key} has no effect without a ${limit}: give the ${limit} too`)
  }
  if (schema['uniqueItems'] === true)
    problems.push(`${path}: a CRD cannot have uniqueItems: make the list a set`)
  if (Array.isArray(schema['items'])) problems.push(`${path}: items is a list: give one schema for all items`)
  const { properties, additionalProperties } = schema as StructuralSchema
  const named = Object.keys(properties ?? {}).length > 0
  if (named && additionalProperties !== undefined && additionalProperties !== true)
    problems.push(`${path}: it has both properties and additionalProperties: keep one of them`)
  return problems
}

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'integer', 'number', 'boolean']

function typeProblems(schema: StructuralSchema, path: string): string[] {
  const { type } = schema
  const intOrString = schema['x-kubernetes-int-or-string'] === true
  if (Array.isArray(type))
    return [`${path}: it has several types: give one type, and nullable: true if null is among them`]
  if (type !== undefined && !TYPES.includes(type))
    return [`${path}: the type '${type}' is unknown: use one of ${TYPES.join(', ')}`]
  if (type === undefined && !intOrString && !schema['x-kubernetes-preserve-unknown-fields'])
    return [`${path}: it has no type: give one, or x-kubernetes-preserve-unknown-fields: true for any value`]
  if (type !== undefined && intOrString)
    return [`${path}: x-kubernetes-int-or-string replaces the type: remove the type`]
  const problems: string[] = []
  if (type === 'array' && !schema.items)
    problems.push(`${path}: a list needs the schema of its items: give items`)
  if (schema.items && type !== 'array') problems.push(`${path}: only a list has items: make its type array`)
  if ((schema.properties || schema.additionalProperties) && type !== 'object' && !isAny(schema))
    problems.push(`${path}: only an object has properties: make its type object`)
  return problems
}

function extensionProblems(schema: StructuralSchema, path: string): string[] {
  const problems: string[] = []
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    problems.push(`${path}: x-kubernetes-preserve-unknown-fields is false: make it true, or leave it out`)
  if (schema['x-kubernetes-embedded-resource']) {
    if (schema.type !== 'object') problems.push(`${path}: an embedded resource must be of type object`)
    if (!schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(schema.properties ?? {}).length === 0)
      problems.push(
        `${path}: an embedded resource needs properties, or x-kubernetes-preserve-unknown-fields: true`,
      )
  }
  if (schema['x-kubernetes-list-type'] && schema.type !== 'array')
    problems.push(`${path}: x-kubernetes-list-type is for lists: make its type array`)
  if (schema['x-kubernetes-map-type'] && schema.type !== 'object')
    problems.push(`${path}: x-kubernetes-map-type is for objects: make its type object`)
  return problems
}

const NOT_IN_CONSTRAINTS: readonly string[] = [
  'type',
  'default',
  'nullable',
  'description',
  'title',
  'additionalProperties',
]

/** A constraint may only restrict values; all other keys belong in the schema around it. */
function constraintProblems(part: StructuralSchema, path: string): string[] {
  const refused = Object.keys(part).filter(
    (key) => NOT_IN_CONSTRAINTS.includes(key) || key.startsWith('x-kubernetes-'),
  )
  return [
    ...refused.map((key) => `${path}: a constraint cannot have ${key}: put it in the schema around it`),
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) =>
      constraintProblems(property, `${path}.${name}`),
    ),
    ...(part.items ? constraintProblems(part.items, `${path}[]`) : []),
    ...[...(part.allOf ?? []), ...(part.anyOf ?? []), ...(part.oneOf ?? [])].flatMap((inner) =>
      constraintProblems(inner, path),
    ),
    ...(part.not ? constraintProblems(part.not, path) : []),
  ]
}

/** A schema with int-or-string may repeat it as `anyOf` with both types, directly or first in `allOf`. */
function isTypeOfIntOrString(schema: StructuralSchema, junctor: string, index: number): boolean {
  if (!schema['x-kubernetes-int-or-string']) return false
  return junctor === 'anyOf' || (junctor === 'allOf' && index === 0 && schema.allOf?.[0]?.anyOf !== undefined)
}

function isAny(schema: StructuralSchema): boolean {
  return schema.type === undefined && schema['x-kubernetes-preserve-unknown-fields'] === true
}
