import { isExactNumber, type ScaleSubresource, oncePerObject } from '@homeostat/api'
import {
  additionalOf,
  embeddedErrors,
  equalJson,
  ErrorList,
  type FieldError,
  floatText,
  getKey,
  invalidValue,
  isObject,
  type JsonObject,
  jsonText,
  numberText as wholeText,
  propertiesOf,
  quote,
  RawJson,
  requiredValue,
  ROOT,
  type SchemaNode,
  tooLong,
  tooMany,
  typeInvalid,
  type TypeSchema,
  unsupportedValue,
} from '../schema/index.ts'
import { formatCheck } from './formats/formats.ts'
import { listTypeErrors } from './list-types.ts'
import { matchesPattern } from './formats/patterns.ts'
import { evaluateRules, ruleTree } from './rules/index.ts'
import { scaleErrors, statusScaleErrors } from './scale.ts'
import { spend } from '../work/index.ts'

/**
 * Validates a custom resource by its schema, with a Kubernetes API server's messages: values, then embedded
 * resources, then duplicates in lists of type set and map, then rules. With `old`, errors of unchanged parts are not
 * reported; `warn` is called for rules that these break.
 */
export function validate(
  schema: TypeSchema,
  value: unknown,
  old?: unknown,
  { warn, scale, others = [], kindErrors = [] }: ValidateOptions = {},
): FieldError[] {
  const errors = new ErrorList<FieldError>()
  if (kindErrors.length > 0) errors.pushAll(kindErrors)
  else {
    check({ root: ROOT, prefix: '' }, schema.root, value, old, '', errors)
    if (scale) errors.pushAll(scaleErrors(scale, value))
  }
  errors.pushAll(embeddedErrors(schema.root, value, ''))
  errors.pushAll(newListTypeErrors(schema.root, value, old, ''))
  return withRules(schema, value, old, unique(errors.errors), warn, others)
}

/** Validates the status, as the status endpoint does: its paths begin at the status, except for those of rules. */
export function validateStatus(
  schema: TypeSchema,
  object: unknown,
  old?: unknown,
  { warn, scale }: ValidateOptions = {},
): FieldError[] {
  const node = propertiesOf(schema.root).get('status')
  const status = isObject(object) ? getKey(object, 'status') : undefined
  const errors = new ErrorList<FieldError>()
  if (node && status !== undefined) {
    const oldStatus = isObject(old) ? getKey(old, 'status') : undefined
    check({ root: 'status', prefix: 'status.' }, node, status, oldStatus, '', errors)
    errors.pushAll(embeddedErrors(node, status, 'status'))
    errors.pushAll(newListTypeErrors(node, status, oldStatus, 'status'))
  }
  if (scale) errors.pushAll(statusScaleErrors(scale, object))
  return withRules(schema, object, old, unique(errors.errors), warn)
}

/** Options of a validation. */
export interface ValidateOptions {
  /** Called for rules that an unchanged part of the object breaks. */
  readonly warn?: ((message: string) => void) | undefined
  /** The paths of the replicas, which have their own limits. */
  readonly scale?: ScaleSubresource | undefined
  /** Other errors of the object: rules are not evaluated where a required value is missing. */
  readonly others?: readonly FieldError[]
  /** Errors of the object's kind. Such an object is checked by list types and rules, but not by its schema. */
  readonly kindErrors?: readonly FieldError[]
}

/** Duplicates are errors only where the old object had none. */
function newListTypeErrors(node: SchemaNode, value: unknown, old: unknown, path: string): FieldError[] {
  const errors = listTypeErrors(node, value, path)
  if (errors.length === 0 || old === undefined) return errors
  return listTypeErrors(node, old, path).length > 0 ? [] : errors
}

/** The errors that prevent the evaluation of rules, which rely on valid values. */
const BLOCKING: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

function withRules(
  { root }: TypeSchema,
  value: unknown,
  old: unknown,
  errors: FieldError[],
  warn?: (message: string) => void,
  others: readonly FieldError[] = [],
): FieldError[] {
  const tree = ruleTree(root)
  if (!tree) return errors
  if ([...others, ...errors].some(({ reason }) => BLOCKING.has(reason))) {
    const detail =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
    return [...errors, invalidValue(ROOT, null, detail)]
  }
  return [...errors, ...evaluateRules(tree, value, old, warn)]
}

/** Validates one value by a schema node, for the defaults of a CRD. `field` is the path of the value. */
export function validateValue(node: SchemaNode, value: unknown, field: string): FieldError[] {
  const errors = new ErrorList<FieldError>()
  check({ root: field, prefix: `${field}.` }, node, value, undefined, '', errors)
  return unique(errors.errors)
}

/** Where the errors of one walk are said to be. */
interface Place {
  /** The field of errors about the whole value. */
  readonly root: string
  readonly prefix: string
}

function fieldOf(place: Place, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path
  return name === '' ? place.root : place.prefix + name
}

/**
 * Adds the errors of a value, and returns how many checks it has passed: of alternatives that all fail, the errors of
 * the best one are reported.
 */
function check(
  place: Place,
  node: SchemaNode,
  value: unknown,
  old: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  if (isExactNumber(value)) return check(place, node, BigInt(value.rawJSON), old, path, errors)
  spend(1)
  const mark = errors.length
  let met = checkType(place, node, value, path, errors)
  if (value !== null) {
    met += 2 + checkAlternatives(place, node, value, old, path, errors)
    if (typeof value === 'string') met += checkText(place, node, value, path, errors)
    else if (typeof value === 'number' || typeof value === 'bigint') {
      met += checkNumber(place, node, value, path, errors)
    } else if (Array.isArray(value)) met += checkList(place, node, value, old, path, errors)
    checkEnum(place, node, value, path, errors)
    if (isObject(value)) met += checkObject(place, node, value, old, path, errors)
  } else {
    checkEnum(place, node, value, path, errors)
  }
  if (errors.length > mark && old !== undefined && path !== '' && equalJson(old, value)) errors.cut(mark)
  return met
}

function typesOf(node: SchemaNode): readonly string[] {
  if (node['x-kubernetes-int-or-string']) return ['integer', 'string']
  return node.type === undefined ? [] : [node.type]
}

/** Whether a value has the single type of its schema, which has no format: the case of nearly all values. */
function isPlainlyOfType(node: SchemaNode, value: unknown): boolean {
  if (node.format || node['x-kubernetes-int-or-string']) return false
  switch (node.type) {
    case 'string':
    case 'boolean':
      return typeof value === node.type
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && !Array.isArray(value)
    case 'integer':
      return Number.isSafeInteger(value)
    default:
      return false
  }
}

/** The type and format of a value, as the server infers them. */
function inferred(value: unknown): readonly [type: string, format: string] {
  if (typeof value === 'string') return ['string', '']
  if (typeof value === 'boolean') return ['boolean', '']
  if (typeof value === 'bigint') return ['integer', 'int64']
  if (typeof value === 'number') {
    // A whole number beyond 64 bits counts as a fraction.
    return countsAsInteger(value) ? ['integer', 'int64'] : ['number', 'float64']
  }
  return Array.isArray(value) ? ['array', ''] : ['object', '']
}

/** Whether a number is whole, or so close to a whole one that the server accepts it. */
function countsAsInteger(value: number): boolean {
  if (Number.isInteger(value)) return Math.abs(value) < 2 ** 63
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) return false
  const whole = Math.trunc(value)
  return whole !== 0 && (value - whole) / (value + whole) < 1e-9
}

function knownFormat(node: SchemaNode): string {
  const { format = '', type } = node
  if (format === '') return ''
  if (type === undefined || type === 'string') return formatCheck(format) ? format : ''
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : ''
  return type === 'number' && (format === 'float' || format === 'double') ? format : ''
}

function checkType(
  place: Place,
  node: SchemaNode,
  value: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  if (value !== null && isPlainlyOfType(node, value)) return 2
  const types = typesOf(node)
  const format = knownFormat(node)
  if (types.length === 0 && format === '') return 0
  const fail = (expected: string, actual: string): number => {
    const detail = `${path} in body must be of type ${expected}: ${quote(actual)}`
    errors.push(typeInvalid(fieldOf(place, path), actual, detail))
    return 1
  }
  if (value === null) return types.length > 0 && !node.nullable ? fail(types.join(','), 'null') : 1
  const [type, actualFormat] = inferred(value)
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'))
  const text = type === 'string' || type === 'array'
  if (!text && format !== '' && !fits && actualFormat !== format) return fail(format, actualFormat)
  if (text && format !== '' && !types.includes('number') && !types.includes('integer')) return 2
  return fits ? 2 : fail(types.join(','), type)
}

function checkText(
  place: Place,
  node: SchemaNode,
  text: string,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  const { minLength, maxLength, pattern, format } = node
  if (minLength === undefined && maxLength === undefined && !pattern && !format) return 1
  const field = fieldOf(place, path)
  const length = minLength === undefined && maxLength === undefined ? 0 : codePoints(text)
  if (maxLength !== undefined && length > maxLength) {
    errors.push(tooLong(field, maxLength))
  } else if (minLength !== undefined && length < minLength) {
    errors.push(invalidValue(field, text, `${path} in body should be at least ${minLength} chars long`))
  } else if (pattern !== undefined && pattern !== '' && !matchesPattern(pattern, text)) {
    errors.push(invalidValue(field, text, `${path} in body should match '${pattern}'`))
  }
  const isFormat = node.type === undefined || node.type === 'string' ? formatCheck(format ?? '') : undefined
  if (!isFormat) return 1
  if (!isFormat(text)) {
    const detail = `${path} in body must be of type ${format}: ${quote(text)}`
    errors.push(typeInvalid(field, text, detail))
  }
  return 2
}

function codePoints(text: string): number {
  let count = 0
  // Iterating a text goes by code points, not by halves of surrogate pairs.
  for (const _ of text) count++
  return count
}

const RANGES: ReadonlyMap<string, readonly [bigint, bigint]> = new Map(
  Object.entries<readonly [bigint, bigint]>({
    int32: [-(2n ** 31n), 2n ** 31n - 1n],
    int64: [-(2n ** 63n), 2n ** 63n - 1n],
  }),
)
const LARGEST_FLOAT = 3.402_823_466_385_288_6e38

function checkNumber(
  place: Place,
  node: SchemaNode,
  value: number | bigint,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  checkRange(place, node, value, 'Checked', path, errors)
  const { multipleOf, minimum, maximum } = node
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return 2
  const field = fieldOf(place, path)
  const fraction = !isInt64(value)
  // Bounds of whole numbers are compared without their fraction, as the server does.
  const bound = (limit: number): number => (fraction ? limit : Math.trunc(limit))
  const numberText = (limit: number): string => (fraction ? floatText(limit) : wholeText(limit))
  const shown = fraction ? new RawJson(floatText(Number(value))) : value
  if (multipleOf !== undefined) checkRange(place, node, multipleOf, 'MultipleOf', path, errors)
  if (multipleOf !== undefined && bound(multipleOf) <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${numberText(bound(multipleOf))}`
    errors.push(invalidValue(field, shown, detail))
  } else if (multipleOf !== undefined && !isMultiple(fraction ? Number(value) : value, bound(multipleOf))) {
    errors.push(
      invalidValue(field, shown, `${path} in body should be a multiple of ${numberText(bound(multipleOf))}`),
    )
  }
  if (minimum !== undefined) {
    checkRange(place, node, minimum, 'Minimum boundary', path, errors)
    const limit = bound(minimum)
    if (node.exclusiveMinimum ? value <= limit : value < limit) {
      const words = node.exclusiveMinimum ? 'greater than' : 'greater than or equal to'
      errors.push(invalidValue(field, shown, `${path} in body should be ${words} ${numberText(limit)}`))
    }
  }
  if (maximum !== undefined) {
    checkRange(place, node, maximum, 'Maximum boundary', path, errors)
    const limit = bound(maximum)
    if (node.exclusiveMaximum ? value >= limit : value > limit) {
      const words = node.exclusiveMaximum ? 'less than' : 'less than or equal to'
      errors.push(invalidValue(field, shown, `${path} in body should be ${words} ${numberText(limit)}`))
    }
  }
  return 2
}

/** Validates that a value and its bounds are in the range of their type and format. */
function checkRange(
  place: Place,
  node: SchemaNode,
  value: number | bigint,
  what: string,
  path: string,
  errors: ErrorList<FieldError>,
): void {
  const format = knownFormat(node)
  if (inRange(node, value, format)) return
  const kind = format === '' ? '(default format)' : `with format ${format}`
  errors.push(invalidValue(place.root, '', `${what} value must be of type ${node.type} ${kind} in ${path}`))
}

function inRange(node: SchemaNode, value: number | bigint, format: string): boolean {
  if (node.type === 'number') return format !== 'float' || Math.abs(Number(value)) <= LARGEST_FLOAT
  if (node.type !== 'integer') return true
  if (format !== 'int32' && Number.isSafeInteger(value)) return true
  // A whole number beyond 64 bits counts as a fraction.
  if (typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 2 ** 63)) return false
  const [low, high] = RANGES.get(format === 'int32' ? 'int32' : 'int64')!
  const whole = BigInt(value)
  return whole >= low && whole <= high
}

function isInt64(value: number | bigint): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && Math.abs(value) < 2 ** 63)
}

function isMultiple(value: number | bigint, factor: number): boolean {
  if (factor <= 0) return false
  if (typeof value === 'bigint') return value % BigInt(factor) === 0n
  if (Number.isSafeInteger(value) && Number.isInteger(factor)) return value % factor === 0
  const quotient = factor < 1 ? (1 / factor) * value : value / factor
  return Math.abs(quotient) <= Number.MAX_SAFE_INTEGER && countsAsInteger(quotient)
}

function checkEnum(
  place: Place,
  node: SchemaNode,
  value: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): void {
  // Null is not allowed, even if the enum has it.
  if (!node.enum?.length || (value !== null && isAllowed(node.enum, value))) return
  const allowed = node.enum.map((item) => (typeof item === 'string' ? item : jsonText(item)))
  spend(allowed.length)
  errors.push(unsupportedValue(fieldOf(place, path), value, allowed))
}

const identitiesOf = oncePerObject((values: readonly unknown[]) => new Set(values.map(identityOf)))

/** Whether a value is one of an enum, of which there may be very many. */
function isAllowed(values: readonly unknown[], value: unknown): boolean {
  return identitiesOf(values).has(identityOf(value))
}

/** A key that only equal values share. */
function identityOf(value: unknown): unknown {
  if (typeof value === 'string') return `text ${value}`
  return typeof value === 'object' || typeof value === 'bigint' ? `json ${jsonText(value)}` : value
}

function checkList(
  place: Place,
  node: SchemaNode,
  list: readonly unknown[],
  old: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  const { items, minItems, maxItems } = node
  let met = 2
  if (items) {
    const oldItem = previousItems(node, old)
    for (let index = 0; index < list.length && !errors.full; index++) {
      met += check(place, items, list[index], oldItem(list[index]), `${path}[${index}]`, errors)
    }
  }
  const field = fieldOf(place, path)
  if (minItems !== undefined && list.length < minItems) {
    errors.push(invalidValue(field, list.length, `${path} in body should have at least ${minItems} items`))
  }
  if (maxItems !== undefined && list.length > maxItems) errors.push(tooMany(field, list.length, maxItems))
  if (node.uniqueItems && new Set(list.map((item) => jsonText(item))).size < list.length) {
    errors.push(invalidValue(field, '', `${path} in body shouldn't contain duplicates`))
  }
  return met
}

/** The old value of an element, which only lists of type map have. */
function previousItems(node: SchemaNode, old: unknown): (item: unknown) => unknown {
  const keys = node['x-kubernetes-list-map-keys']
  if (!Array.isArray(old) || node['x-kubernetes-list-type'] !== 'map' || !keys) return () => undefined
  const keyOf = (item: unknown): string =>
    jsonText(isObject(item) ? keys.map((key) => getKey(item, key)) : null)
  const byKey = new Map(old.map((item) => [keyOf(item), item]))
  return (item) => byKey.get(keyOf(item))
}

function checkObject(
  place: Place,
  node: SchemaNode,
  object: JsonObject,
  old: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  let met = 1
  const keys = Object.keys(object)
  const { minProperties, maxProperties, required } = node
  if (minProperties !== undefined && keys.length < minProperties) {
    const detail = `${path} in body should have at least ${minProperties} properties`
    errors.push(invalidValue(fieldOf(place, path), keys.length, detail))
  }
  if (maxProperties !== undefined && keys.length > maxProperties) {
    errors.push(tooMany(fieldOf(place, path), keys.length, maxProperties))
  }
  const properties = propertiesOf(node)
  const additional = additionalOf(node)
  for (const key of keys) {
    if (errors.full) break
    const property = properties.get(key)
    if (property) {
      const child = path === '' ? key : `${path}.${key}`
      met += check(place, property, object[key], previous(old, key), child, errors)
    } else if (additional) {
      met += check(place, additional, object[key], previous(old, key), `${path}.${key}`, errors)
    } else if (node.additionalProperties === false) {
      errors.push(invalidValue(fieldOf(place, path), key, `${path}.${key} in body is a forbidden property`))
    }
  }
  if (required) spend(required.length / 8)
  for (const key of required ?? []) {
    if (errors.full) break
    if (!Object.hasOwn(object, key)) errors.push(requiredValue(fieldOf(place, `${path}.${key}`)))
  }
  return met
}

function previous(old: unknown, key: string): unknown {
  return isObject(old) ? getKey(old, key) : undefined
}

function checkAlternatives(
  place: Place,
  node: SchemaNode,
  value: unknown,
  old: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  let met = 2
  if (!node.anyOf && !node.oneOf && !node.allOf && !node.not) return met
  const composite = (detail: string): void => {
    errors.push(invalidValue(place.root, '', `${quote(path)} ${detail}`))
  }
  const attempt = (alternative: SchemaNode): Attempt => {
    const found = new ErrorList<FieldError>()
    return { met: check(place, alternative, value, old, path, found), errors: found.errors }
  }
  if (node.anyOf?.length) {
    const attempts = node.anyOf.map(attempt)
    const fitting = attempts.find((one) => one.errors.length === 0)
    const chosen = fitting ?? best(attempts)
    if (!fitting) composite('must validate at least one schema (anyOf)')
    errors.pushAll(chosen.errors)
    met += chosen.met
  }
  if (node.oneOf?.length) {
    const attempts = node.oneOf.map(attempt)
    const fitting = attempts.filter((one) => one.errors.length === 0)
    if (fitting.length === 1) met += fitting[0]!.met
    else {
      const found = fitting.length === 0 ? 'Found none valid' : `Found ${fitting.length} valid alternatives`
      composite(`must validate one and only one schema (oneOf). ${found}`)
      if (fitting.length === 0) {
        const chosen = best(attempts)
        errors.pushAll(chosen.errors)
        met += chosen.met
      }
    }
  }
  if (node.allOf?.length) {
    const attempts = node.allOf.map(attempt)
    const failing = attempts.filter((one) => one.errors.length > 0)
    for (const one of attempts) {
      errors.pushAll(one.errors)
      met += one.met
    }
    if (failing.length > 0) {
      const none = failing.length === attempts.length ? '. None validated' : ''
      composite(`must validate all the schemas (allOf)${none}`)
    }
  }
  if (node.not && attempt(node.not).errors.length === 0) composite('must not validate the schema (not)')
  return met
}

interface Attempt {
  readonly met: number
  readonly errors: readonly FieldError[]
}

function best(attempts: readonly Attempt[]): Attempt {
  return attempts.reduce((chosen, next) => (next.met > chosen.met ? next : chosen))
}

function unique(errors: readonly FieldError[]): FieldError[] {
  if (errors.length === 0) return []
  const seen = new Set<string>()
  return errors.filter(({ field, message }) => {
    const line = `${field}: ${message}`
    return !seen.has(line) && seen.add(line)
  })
}
