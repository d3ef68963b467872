import { isExactNumber, oncePerObject } from '@homeostat/api'
import {
  additionalOf,
  equalJson,
  ErrorList,
  type FieldError,
  getKey,
  invalidValue,
  isObject,
  type JsonObject,
  jsonText,
  propertiesOf,
  quote,
  requiredValue,
  type SchemaNode,
  tooLong,
  tooMany,
  typeInvalid,
  unsupportedValue,
} from '../schema/index.ts'
import { formatCheck } from './formats/formats.ts'
import { matchesPattern } from './formats/patterns.ts'
import { spend } from '../work/index.ts'
import { fieldOf, type ErrorPlace } from './error-place.ts'
import { checkType } from './check-type.ts'
import { checkNumber } from './check-number.ts'

/**
 * Adds the errors of a value, and returns how many checks it has passed. Where all alternatives fail, the errors of
 * the one that has passed the most checks are reported.
 */
export function checkValue(
  place: ErrorPlace,
  node: SchemaNode,
  value: unknown,
  old: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  if (isExactNumber(value)) return checkValue(place, node, BigInt(value.rawJSON), old, path, errors)
  spend(1)
  const mark = errors.length
  let met = checkType(place, node, value, path, errors)
  if (value !== null) {
    met += 4
    // Most schemas have no alternatives.
    if (node.anyOf || node.oneOf || node.allOf || node.not) {
      met += checkAlternatives(place, node, value, old, path, errors)
    }
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

function checkText(
  place: ErrorPlace,
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
  const counts = place.keepsFormats || node.type === undefined || node.type === 'string'
  const isFormat = counts ? formatCheck(format ?? '') : undefined
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

function checkEnum(
  place: ErrorPlace,
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

/** Whether an enum, which may be very long, has a value. */
function isAllowed(values: readonly unknown[], value: unknown): boolean {
  const identities = identitiesOf(values)
  return identities.has(identityOf(value)) || (typeof value === 'number' && identities.has(converted(value)))
}

/**
 * Go converts a number before it compares it with a value of another type: a fraction loses its digits after the
 * point, and a whole number becomes the character with that code. This is the key of the result.
 */
function converted(value: number): unknown {
  if (!Number.isInteger(value)) return Math.trunc(value)
  return value >= 0 && value <= LAST_CHARACTER ? identityOf(String.fromCodePoint(value)) : undefined
}

const LAST_CHARACTER = 0x10_ff_ff

/** A key that only equal values share. */
function identityOf(value: unknown): unknown {
  if (typeof value === 'string') return `text ${value}`
  return typeof value === 'object' || typeof value === 'bigint' ? `json ${jsonText(value)}` : value
}

function checkList(
  place: ErrorPlace,
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
      met += checkValue(place, items, list[index], oldItem(list[index]), `${path}[${index}]`, errors)
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
  place: ErrorPlace,
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
      met += checkValue(place, property, object[key], previous(old, key), child, errors)
    } else if (additional) {
      met += checkValue(place, additional, object[key], previous(old, key), `${path}.${key}`, errors)
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
  place: ErrorPlace,
  node: SchemaNode,
  value: unknown,
  old: unknown,
  path: string,
  errors: ErrorList<FieldError>,
): number {
  let met = 0
  const composite = (detail: string): void => {
    errors.push(invalidValue(place.root, '', `${quote(path)} ${detail}`))
  }
  const attempt = (alternative: SchemaNode): Attempt => {
    const found = new ErrorList<FieldError>()
    return { met: checkValue(place, alternative, value, old, path, found), errors: found.errors }
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
    if (fitting.length === 1) met += fitting[0]?.met ?? 0
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
