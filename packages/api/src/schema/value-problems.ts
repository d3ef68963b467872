import type { StructuralSchema } from './structural.ts'

/**
 * Why a value does not fit a schema, as sentences that name where; none when it fits. It knows what the
 * builder can express, leaving out CEL rules and formats other than times: enough to check a default
 * before a server does.
 */
export function valueProblems(schema: StructuralSchema, value: unknown, path: string): string[] {
  if (value === null) return schema.nullable || isAnything(schema) ? [] : [`${path} is null`]
  const type = typeProblem(schema, value)
  if (type) return [`${path} is ${JSON.stringify(value)}, not ${type}`]
  const problems: string[] = []
  const say = (problem: string): void => void problems.push(`${path} ${problem}`)
  if (schema.enum && !schema.enum.includes(value)) {
    say(
      `is ${JSON.stringify(value)}, not one of ${schema.enum.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  }
  if (typeof value === 'number') {
    for (const problem of numberProblems(schema, value)) say(problem)
  } else if (typeof value === 'string') {
    for (const problem of stringProblems(schema, value)) say(problem)
  } else if (Array.isArray(value)) {
    problems.push(...listProblems(schema, value, path))
  } else if (typeof value === 'object') {
    problems.push(...objectProblems(schema, value as Record<string, unknown>, path))
  }
  return [...problems, ...constraintProblems(schema, value, path)]
}

function numberProblems(schema: StructuralSchema, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const problems: string[] = []
  if (minimum !== undefined && value < minimum) problems.push(`is ${value}, less than ${minimum}`)
  if (maximum !== undefined && value > maximum) problems.push(`is ${value}, more than ${maximum}`)
  if (exclusiveMinimum && value === minimum) problems.push(`is ${value}, not more than that`)
  if (exclusiveMaximum && value === maximum) problems.push(`is ${value}, not less than that`)
  if (multipleOf !== undefined && !isWhole(value / multipleOf))
    problems.push(`is ${value}, not a multiple of ${multipleOf}`)
  if (schema.format === 'int32' && Math.abs(value + 0.5) > 2 ** 31)
    problems.push(`is ${value}, more than 32 bits`)
  return problems
}

/** Whether a number is whole, up to rounding errors of binary fractions: 0.3 is three times 0.1. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9
}

/** Constraints have the keys of schemas without their types, so they are checked as schemas. */
function constraintProblems(schema: StructuralSchema, value: unknown, path: string): string[] {
  const fits = (part: StructuralSchema): boolean => valueProblems(open(part), value, path).length === 0
  const problems = (schema.allOf ?? []).flatMap((part) => valueProblems(open(part), value, path))
  if (schema.anyOf && !schema.anyOf.some(fits)) problems.push(`${path} fits none of anyOf`)
  if (schema.oneOf && schema.oneOf.filter(fits).length !== 1)
    problems.push(`${path} does not fit exactly one of oneOf`)
  if (schema.not && fits(schema.not)) problems.push(`${path} fits what not() refuses`)
  return problems
}

/** A constraint names only some keys, and refuses no others. */
function open(part: StructuralSchema): StructuralSchema {
  return {
    ...part,
    nullable: true,
    'x-kubernetes-preserve-unknown-fields': true,
    ...(part.items ? { items: open(part.items) } : {}),
    ...(part.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(part.properties).map(([key, each]) => [key, open(each)]),
          ),
        }
      : {}),
  }
}

function isAnything(schema: StructuralSchema): boolean {
  return schema.type === undefined && schema['x-kubernetes-preserve-unknown-fields'] === true
}

/** The expected type, where the value is not of the schema's type. */
function typeProblem(schema: StructuralSchema, value: unknown): string | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    return typeof value === 'string' || isInteger(value) ? undefined : 'a whole number or a string'
  }
  switch (schema.type) {
    case 'object':
      return typeof value === 'object' && !Array.isArray(value) ? undefined : 'an object'
    case 'array':
      return Array.isArray(value) ? undefined : 'a list'
    case 'integer':
      return isInteger(value) ? undefined : 'a whole number of 64 bits'
    case undefined:
      return undefined
    default:
      return typeof value === schema.type ? undefined : `a ${schema.type}`
  }
}

function isInteger(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i

function stringProblems(schema: StructuralSchema, value: string): string[] {
  const problems: string[] = []
  const { length } = Array.from(value)
  if (schema.minLength !== undefined && length < schema.minLength)
    problems.push(`is shorter than ${schema.minLength}`)
  if (schema.maxLength !== undefined && length > schema.maxLength)
    problems.push(`is longer than ${schema.maxLength}`)
  const pattern = schema.pattern === undefined ? undefined : compiled(schema.pattern)
  if (pattern && !pattern.test(value))
    problems.push(`is ${JSON.stringify(value)}, which does not match ${pattern.source}`)
  if (schema.format === 'date-time' && (!RFC_3339.test(value) || Number.isNaN(Date.parse(value))))
    problems.push(`is ${JSON.stringify(value)}, not a time in RFC 3339`)
  return problems
}

/** The expression, if JavaScript can read it: the server's dialect has forms that JavaScript does not support. */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return undefined
  }
}

function listProblems(schema: StructuralSchema, value: readonly unknown[], path: string): string[] {
  const problems = value.flatMap((item, index) =>
    valueProblems(schema.items ?? {}, item, `${path}[${index}]`),
  )
  if (schema.minItems !== undefined && value.length < schema.minItems)
    problems.push(`${path} has fewer than ${schema.minItems} items`)
  if (schema.maxItems !== undefined && value.length > schema.maxItems)
    problems.push(`${path} has more than ${schema.maxItems} items`)
  const identities = value.map((item) => identity(schema, item))
  const twice = identities.find(
    (each, index) => each !== undefined && identities.indexOf(each) < index && identities.includes(each),
  )
  if (twice !== undefined) problems.push(`${path} has ${twice} twice`)
  return problems
}

/** The keys that identify an item of the list, if there are any. */
function identity(schema: StructuralSchema, item: unknown): string | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return JSON.stringify(item)
  if (schema['x-kubernetes-list-type'] !== 'map' || typeof item !== 'object' || item === null)
    return undefined
  const fields = item as Record<string, unknown>
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  return JSON.stringify(
    Object.fromEntries(keys.map((key) => [key, fields[key] ?? schema.items?.properties?.[key]?.default])),
  )
}

function objectProblems(schema: StructuralSchema, value: Record<string, unknown>, path: string): string[] {
  const problems: string[] = []
  const names = Object.keys(value)
  if (schema.minProperties !== undefined && names.length < schema.minProperties)
    problems.push(`${path} has fewer than ${schema.minProperties} keys`)
  if (schema.maxProperties !== undefined && names.length > schema.maxProperties)
    problems.push(`${path} has more than ${schema.maxProperties} keys`)
  const typed = schema['x-kubernetes-embedded-resource'] ? ['apiVersion', 'kind'] : []
  for (const name of [...typed, ...(schema.required ?? [])]) {
    if (!Object.hasOwn(value, name)) problems.push(`${path}.${name} is missing`)
  }
  for (const name of names) {
    const known = schema.properties?.[name] ?? schema.additionalProperties
    if (typeof known === 'object') problems.push(...valueProblems(known, value[name], `${path}.${name}`))
    else if (known !== true && !schema['x-kubernetes-preserve-unknown-fields'])
      problems.push(`${path}.${name} is not a key of the schema`)
  }
  return problems
}
