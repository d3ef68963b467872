import { structuralProblems } from './structural-problems.ts'
import type { StructuralSchema } from './structural.ts'
import { valueProblems } from './value-problems.ts'

/**
 * The problems for which a server would refuse a structural schema, each as a sentence that names the field and the
 * remedy. None if a CRD can have the schema. Whether CEL rules compile, and what they cost, only the server knows.
 */
export function schemaProblems(schema: StructuralSchema, path: string): string[] {
  return problemsOf(schema, path, undefined)
}

/** `uncorrelated` is the nearest list above whose items have no identity from one version of the object to the next. */
function problemsOf(schema: StructuralSchema, path: string, uncorrelated: string | undefined): string[] {
  return [
    ...structuralProblems(schema, path),
    ...limitProblems(schema, path),
    ...patternProblems(schema, path),
    ...enumProblems(schema, path),
    ...defaultProblems(schema, path),
    ...listTypeProblems(schema, path),
    ...ruleProblems(schema, path, uncorrelated),
    ...partProblems(schema, path, uncorrelated),
  ]
}

function partProblems(schema: StructuralSchema, path: string, above: string | undefined): string[] {
  const problems: string[] = []
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    problems.push(...problemsOf(part, `${path}.${name}`, above))
  }
  if (typeof schema.additionalProperties === 'object') {
    problems.push(...problemsOf(schema.additionalProperties, `${path}.*`, above))
  }
  if (schema.items && !Array.isArray(schema.items)) {
    const keyed = schema['x-kubernetes-list-type'] === 'map'
    problems.push(...problemsOf(schema.items, `${path}[]`, keyed ? above : path))
  }
  return problems
}

const LIMITS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

function limitProblems(schema: StructuralSchema, path: string): string[] {
  const problems: string[] = []
  for (const [lower, upper] of LIMITS) {
    for (const limit of [lower, upper]) {
      const value = schema[limit]
      if (value === undefined) continue
      const count = limit !== 'minimum' && limit !== 'maximum'
      if (count ? !Number.isSafeInteger(value) || value < 0 : !Number.isFinite(value)) {
        problems.push(
          `${path}: ${limit} is ${value}: give a ${count ? 'whole number that is not negative' : 'finite number'}`,
        )
      }
    }
    const least = schema[lower]
    const most = schema[upper]
    if (least !== undefined && most !== undefined && least > most) {
      problems.push(`${path}: nothing fits between ${lower} ${least} and ${upper} ${most}: swap them`)
    }
  }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (minimum !== undefined && minimum === maximum && (exclusiveMinimum || exclusiveMaximum))
    problems.push(`${path}: no number is both more and less than ${minimum}: widen the limits`)
  if (multipleOf !== undefined && !(Number.isFinite(multipleOf) && multipleOf > 0))
    problems.push(`${path}: multipleOf is ${multipleOf}: give a number above 0`)
  return problems
}

/** Forms that JavaScript supports and the server's expressions (RE2) do not: lookarounds and backreferences. */
const BEYOND_RE2 = /\(\?<?[=!]|\\[1-9]|\\k</

function patternProblems({ pattern }: StructuralSchema, path: string): string[] {
  if (pattern === undefined) return []
  if (!BEYOND_RE2.test(pattern.replaceAll('\\\\', ''))) {
    // Groups with flags and names are written differently in the two dialects: only the server checks those.
    if (isExpression(pattern) || pattern.includes('(?')) return []
    return [
      `${path}: the pattern ${pattern} is not a valid regular expression: check that its brackets are closed`,
    ]
  }
  return [
    `${path}: the pattern ${pattern} uses lookaround or backreferences, which Kubernetes' regular expressions (RE2) do not support: use a CEL rule()`,
  ]
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

function enumProblems(schema: StructuralSchema, path: string): string[] {
  if (!schema.enum) return []
  if (schema.enum.length === 0) return [`${path}: an enum needs at least one value`]
  const twice = schema.enum.find((value, index) => schema.enum?.indexOf(value) !== index)
  return twice === undefined ? [] : [`${path}: the enum has ${JSON.stringify(twice)} twice: remove one`]
}

function defaultProblems(schema: StructuralSchema, path: string): string[] {
  if (schema.default === undefined || schema.default === null) return []
  return valueProblems(schema, schema.default, path).map(
    (problem) => `${path}: the default does not fit: ${problem}. Change the default or the schema`,
  )
}

function listTypeProblems(schema: StructuralSchema, path: string): string[] {
  const type = schema['x-kubernetes-list-type']
  const { items } = schema
  if (!items || (type !== 'set' && type !== 'map')) return []
  const problems: string[] = []
  if (items.nullable) problems.push(`${path}: the items of a ${type} cannot be nullable: remove nullable()`)
  if (type === 'map') {
    problems.push(...mapKeyProblems(items, schema['x-kubernetes-list-map-keys'] ?? [], path))
  } else if (!isScalar(items) && !isAtomic(items)) {
    problems.push(
      `${path}: the items of a set are compared as a whole: make them scalars, or call atomic() on the item`,
    )
  }
  return problems
}

function mapKeyProblems(items: StructuralSchema, keys: readonly string[], path: string): string[] {
  if (items.type !== 'object')
    return [`${path}: mapBy() needs items that are objects: use set() for other items`]
  if (keys.length === 0) return [`${path}: mapBy() needs the name of at least one key of the items`]
  return keys.flatMap((key, index) => {
    const property = items.properties?.[key]
    const named = `${path}: mapBy('${key}')`
    if (keys.indexOf(key) !== index) return [`${named} names the key twice: name it once`]
    if (!property) return [`${named}: the items have no key '${key}': add it to the items`]
    if (!isScalar(property)) return [`${named}: ${path}[].${key} is not a scalar: name another key`]
    if (property.nullable) return [`${named}: ${path}[].${key} cannot be nullable: remove nullable()`]
    if (property.default === undefined && !items.required?.includes(key))
      return [`${named}: ${path}[].${key} is optional: remove optional(), or give it a default`]
    return []
  })
}

function isScalar(schema: StructuralSchema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true || !['object', 'array', undefined].includes(schema.type)
  )
}

function isAtomic(schema: StructuralSchema): boolean {
  if (schema.type === 'object') return schema['x-kubernetes-map-type'] === 'atomic'
  return (schema['x-kubernetes-list-type'] ?? 'atomic') === 'atomic'
}

/** The problems of one schema's CEL rules that show without compiling them. */
export function ruleProblems(schema: StructuralSchema, path: string, uncorrelated?: string): string[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, message, optionalOldSelf }) => {
    const usesOldSelf = /\boldSelf\b/.test(rule)
    const problems: string[] = []
    if (schema.type === undefined && !schema['x-kubernetes-int-or-string'])
      problems.push(`${path}: any() cannot have the rule '${rule}': put the rule on the object around it`)
    if (rule.trim() === '') problems.push(`${path}: a rule() is empty: give a CEL expression`)
    if (message !== undefined && (message.trim() === '' || /[\r\n]/.test(message.trim())))
      problems.push(`${path}: the message of the rule '${rule}' must be one line, and not empty`)
    if (usesOldSelf && uncorrelated !== undefined)
      problems.push(
        `${path}: the rule '${rule}' compares with oldSelf, but the items of ${uncorrelated} have no identity: call mapBy() on the list, or put the rule on ${uncorrelated}`,
      )
    if (optionalOldSelf !== undefined && !usesOldSelf)
      problems.push(`${path}: the rule '${rule}' sets optionalOldSelf but does not use oldSelf: remove it`)
    return problems
  })
}
