import {
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
  unsupportedValue,
  wasSentEmpty,
} from '../schema/index.ts'
import { defaultErrors } from './default-errors.ts'
import { patternProblem } from './formats/patterns.ts'
import { ruleErrors, ruleFormErrors, structureProblem } from './rules/index.ts'
import { completenessErrors } from './structure-completeness.ts'
import { addAll } from '../work/index.ts'

/**
 * Validates the schema of a CRD by the rules of structural schemas: every field has one type, and defaults are valid.
 * Defaults are checked only if the structure is valid, and CEL rules are compiled last. `known` are errors that were
 * found before.
 */
export function structuralErrors(
  schema: unknown,
  field: string,
  known: readonly FieldError[] = [],
): FieldError[] {
  if (!isObject(schema)) return [requiredValue(field)]
  const errors = documentErrors(schema, field, true)
  const problem = structureProblem(schema)
  if (problem !== undefined) {
    // Without a structure there is no type for rules, so their internal errors are not reported.
    const readable = errors.filter(({ message }) => !message.startsWith('Internal error: '))
    return readable.length > 0 || known.length > 0 ? readable : [invalidValue(field, '', problem)]
  }
  const structure = [...structureErrors(schema, field, 'root'), ...completenessErrors(schema, field)]
  addAll(errors, structure.length > 0 ? structure : defaultErrors(schema, field))
  return errors.length > 0 ? errors : ruleErrors(schema, field)
}

const META_FIELDS = new Set(['metadata', 'kind', 'apiVersion'])

const UNSUPPORTED = ['definitions', 'dependencies', 'patternProperties', 'additionalItems', 'id', '$ref']
const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const ALTERNATIVES = ['allOf', 'oneOf', 'anyOf'] as const

/** Refuses keywords that the schema of a CRD cannot have. */
function documentErrors(node: JsonObject, field: string, root: boolean, noDefaults?: string): FieldError[] {
  const errors: FieldError[] = []
  for (const name of UNSUPPORTED) {
    const given = node[name] !== undefined || (name === 'dependencies' && wasSentEmpty(node, name))
    if (given) errors.push(forbiddenValue(`${field}.${name}`, `${name} is not supported`))
  }
  const { type, additionalProperties, properties, items, not } = node
  if (type && !TYPES.includes(textOf(type))) errors.push(unsupportedValue(`${field}.type`, type, TYPES))
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative'
    errors.push(forbiddenValue(`${field}.type`, detail))
  }
  if (root && node['nullable'] === true) {
    errors.push(forbiddenValue(`${field}.nullable`, 'nullable cannot be true at the root'))
  }
  if (listOf(items).length > 0) {
    errors.push(forbiddenValue(`${field}.items`, 'items must be a schema object and not an array'))
  }
  if (node['uniqueItems'] === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'
    errors.push(forbiddenValue(`${field}.uniqueItems`, detail))
  }
  const names = Object.keys(objectOf(properties))
  if (node['default'] !== undefined && noDefaults !== undefined) {
    errors.push(forbiddenValue(`${field}.default`, `must not be set ${noDefaults}`))
  }
  if (additionalProperties !== undefined && additionalProperties !== true && names.length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive'
    errors.push(forbiddenValue(`${field}.additionalProperties`, detail))
  }
  addAll(errors, extensionErrors(node, field))
  if (isObject(additionalProperties)) {
    addAll(errors, documentErrors(additionalProperties, `${field}.additionalProperties`, false))
  }
  for (const name of names) {
    const property = objectOf(properties)[name]
    if (!isObject(property)) continue
    const forbidden = root && META_FIELDS.has(name) ? `in top-level ${name}` : noDefaults
    addAll(errors, documentErrors(property, `${field}.properties[${name}]`, false, forbidden))
  }
  if (isObject(items)) addAll(errors, documentErrors(items, `${field}.items`, false))
  for (const [index, item] of listOf(items).entries()) {
    addAll(errors, documentErrors(objectOf(item), `${field}.items[${index}]`, false))
  }
  for (const keyword of ['definitions', 'dependencies']) {
    for (const [name, inner] of Object.entries(objectOf(node[keyword]))) {
      if (isObject(inner)) addAll(errors, documentErrors(inner, `${field}.${keyword}[${name}]`, false))
    }
  }
  if (isObject(not)) addAll(errors, documentErrors(not, `${field}.not`, false))
  for (const name of ALTERNATIVES) {
    for (const [index, one] of listOf(node[name]).entries()) {
      addAll(errors, documentErrors(objectOf(one), `${field}.${name}[${index}]`, false))
    }
  }
  return errors
}

/** The lists and maps that a schema declares. */
function extensionErrors(node: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  const { type = '', items } = node
  const listType = node['x-kubernetes-list-type']
  const mapType = node['x-kubernetes-map-type']
  const keys = listOf(node['x-kubernetes-list-map-keys'])
  const wrongType = (expected: string, extension: string): FieldError => {
    const detail = `must be ${expected} if ${extension} is specified`
    return type === '' ? requiredValue(`${field}.type`, detail) : invalidValue(`${field}.type`, type, detail)
  }
  if (node['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(
      invalidValue(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'),
    )
  }
  if (mapType !== undefined) {
    if (type !== 'object') errors.push(wrongType('object', 'x-kubernetes-map-type'))
    if (mapType !== 'atomic' && mapType !== 'granular') {
      errors.push(unsupportedValue(`${field}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
    }
  }
  if (listType !== undefined) {
    if (type !== 'array') errors.push(wrongType('array', 'x-kubernetes-list-type'))
    else if (listType === 'set') addAll(errors, setErrors(objectOf(items), `${field}.items`))
    if ((listType === 'set' || listType === 'map') && objectOf(items)['nullable'] === true) {
      const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`
      errors.push(forbiddenValue(`${field}.items.nullable`, detail))
    }
    if (!['atomic', 'set', 'map'].includes(textOf(listType))) {
      errors.push(unsupportedValue(`${field}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']))
    }
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
    const at = `${field}.x-kubernetes-list-type`
    errors.push(listType === undefined ? requiredValue(at, detail) : invalidValue(at, listType, detail))
  }
  if (listType === 'map') addAll(errors, listMapErrors(node, keys, field))
  addAll(errors, ruleFormErrors(node, field))
  return errors
}

function setErrors(items: JsonObject, field: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items['x-kubernetes-list-type']
  if (items['type'] === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${field}.x-kubernetes-list-type`, listType, detail)]
  }
  if (items['type'] === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalidValue(`${field}.x-kubernetes-map-type`, listType ?? null, detail)]
  }
  return []
}

function listMapErrors(node: JsonObject, keys: readonly unknown[], field: string): FieldError[] {
  const errors: FieldError[] = []
  const { items } = node
  const at = `${field}.x-kubernetes-list-map-keys`
  if (keys.length === 0) errors.push(requiredValue(at, 'must not be empty if x-kubernetes-list-type is map'))
  if (!isObject(items)) {
    return [...errors, requiredValue(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map')]
  }
  if (items['type'] !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalidValue(`${field}.items.type`, items['type'] ?? '', detail)]
  }
  const properties = objectOf(items['properties'])
  const required = listOf(items['required'])
  const seen = new Set<unknown>()
  for (const key of keys) {
    const property = Object.hasOwn(properties, String(key)) ? objectOf(properties[String(key)]) : undefined
    const place = `${field}.items.properties[${textOf(key)}]`
    if (!property) errors.push(invalidValue(at, keys, 'entries must all be names of item properties'))
    else if (property['type'] === 'array' || property['type'] === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
      errors.push(invalidValue(`${place}.type`, 'object', detail))
    }
    if (seen.has(key)) errors.push(invalidValue(at, keys, 'must not contain duplicate entries'))
    seen.add(key)
    if (property && property['default'] === undefined && !required.includes(key)) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
      errors.push(requiredValue(`${place}.default`, detail))
    }
    if (property?.['nullable'] === true) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'
      errors.push(forbiddenValue(`${place}.nullable`, detail))
    }
  }
  return errors
}

type Level = 'root' | 'item' | 'field'

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

/** Validates that every field has one type, which is set outside of alternatives. */
function structureErrors(node: JsonObject, field: string, level: Level): FieldError[] {
  const errors: FieldError[] = []
  const { items, additionalProperties } = node
  const type = node['type'] ?? ''
  const properties = objectOf(node['properties'])
  const embedded = node['x-kubernetes-embedded-resource'] === true
  const open = node['x-kubernetes-preserve-unknown-fields'] === true
  if (type === 'array' && !isObject(items)) errors.push(requiredValue(`${field}.items`, 'must be specified'))
  if (isObject(items)) addAll(errors, structureErrors(items, `${field}.items`, 'item'))
  for (const [name, property] of Object.entries(properties)) {
    const at = `${field}.properties[${name}]`
    addAll(errors, structureErrors(objectOf(property), at, 'field'))
    if (name === 'metadata')
      addAll(errors, metadataErrors(objectOf(property), at, level === 'root', embedded))
    if ((name === 'kind' || name === 'apiVersion') && (level === 'root' || embedded)) {
      const { type: actual = '' } = objectOf(property)
      if (actual !== 'string') errors.push(invalidValue(`${at}.type`, actual, 'must be string'))
    }
  }
  if (additionalProperties !== undefined) {
    const at = `${field}.additionalProperties`
    if (level === 'root') errors.push(forbiddenValue(at, 'must not be used at the root'))
    if (embedded) errors.push(forbiddenValue(at, 'must not be used if x-kubernetes-embedded-resource is set'))
    if (isObject(additionalProperties)) addAll(errors, structureErrors(additionalProperties, at, 'field'))
  }
  addAll(errors, intOrStringErrors(node, field), valueErrors(node, field, true))
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(
      type === '' ? requiredValue(`${field}.type`, detail) : invalidValue(`${field}.type`, type, detail),
    )
  } else if (type === '' && node['x-kubernetes-int-or-string'] !== true && !open) {
    errors.push(requiredValue(`${field}.type`, MISSING_TYPE[level]))
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${field}.type`, type, 'must be object at the root'))
  }
  if (embedded && !open && Object.keys(properties).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(requiredValue(`${field}.properties`, detail))
  }
  return errors
}

/** A number or a text is not an object: it cannot have unknown fields or be a resource. */
function intOrStringErrors(node: JsonObject, field: string): FieldError[] {
  if (node['x-kubernetes-int-or-string'] !== true) return []
  return ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource']
    .filter((name) => node[name] === true)
    .map((name) =>
      invalidValue(`${field}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    )
}

/** Lists that restrict metadata even if they are empty. */
const NILABLE = ['required', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations']

/** Validates that a schema restricts only the name in metadata. */
function metadataErrors(node: JsonObject, field: string, root: boolean, embedded: boolean): FieldError[] {
  const errors: FieldError[] = []
  if ((root || embedded) && node['type'] !== 'object') {
    errors.push(invalidValue(`${field}.type`, node['type'] ?? '', 'must be object'))
  }
  if (!root) return errors
  const { type: _, properties, ...rest } = node
  const names = Object.keys(objectOf(properties))
  const restricts = Object.keys(rest).length > 0 || NILABLE.some((name) => wasSentEmpty(node, name))
  if (!restricts && names.every((name) => name === 'name' || name === 'generateName')) return errors
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified'
  return [...errors, forbiddenValue(field, detail)]
}

/** The keywords that alternatives cannot have, with their required value. */
const OUTSIDE: readonly (readonly [string, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }]

function valueErrors(node: JsonObject, field: string, outside: boolean): FieldError[] {
  const errors: FieldError[] = []
  const { pattern, not } = node
  if (typeof pattern === 'string' && pattern !== '') {
    const problem = patternProblem(pattern)
    if (problem !== undefined) {
      const detail = `must be a valid regular expression, but isn't: ${problem}`
      errors.push(invalidValue(`${field}.pattern`, pattern, detail))
    }
  }
  for (const name of ALTERNATIVES) {
    const list = listOf(node[name])
    if (outside && name === 'anyOf' && equalJson(list, INT_OR_STRING)) continue
    for (const [index, one] of list.entries()) {
      const alternative = objectOf(one)
      const first =
        outside && name === 'allOf' && index === 0 && equalJson(alternative['anyOf'], INT_OR_STRING)
      const { anyOf: _, ...rest } = alternative
      addAll(errors, nestedErrors(first ? rest : alternative, `${field}.${name}[${index}]`))
    }
  }
  if (isObject(not)) addAll(errors, nestedErrors(not, `${field}.not`))
  return errors
}

function nestedErrors(node: JsonObject, field: string): FieldError[] {
  const errors = valueErrors(node, field, false)
  if (isObject(node['items'])) addAll(errors, nestedErrors(node['items'], `${field}.items`))
  for (const [name, property] of Object.entries(objectOf(node['properties']))) {
    addAll(errors, nestedErrors(objectOf(property), `${field}.properties[${name}]`))
    if (name === 'metadata') {
      errors.push(
        forbiddenValue(`${field}.properties[metadata]`, 'must not be specified in a nested context'),
      )
    }
  }
  for (const [name, detail] of OUTSIDE) {
    const value = node[name]
    const blank = value === '' || value === false || (Array.isArray(value) && value.length === 0)
    const empty = value === undefined || value === null || (blank && !detail.startsWith('must be undefined'))
    const allowsNothing = name === 'additionalProperties' && value === false
    if (!empty && !allowsNothing) errors.push(forbiddenValue(`${field}.${name}`, detail))
  }
  return errors
}
