import { isAddress } from '../addresses.ts'
import { invalidValue, requiredValue, unsupportedValue, type FieldError } from '../field-error.ts'
import { isObject, listOf, textOf, type JsonObject } from '../json.ts'
import { percentProblems, portNameProblems, portProblems, subdomainProblems } from '../name-syntax.ts'

/**
 * The checks that many kinds share. Each gives the errors of one field, in the words of a Kubernetes API server, and nothing
 * where it is right.
 */

/** A number that may not be negative, where there is one. */
export function notNegative(value: unknown, field: string): FieldError[] {
  return typeof value === 'number' && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : []
}

/** A whole number between two others, where there is one. */
export function between(value: unknown, low: number, high: number, field: string): FieldError[] {
  if (typeof value !== 'number' || (value >= low && value <= high)) return []
  return [invalidValue(field, value, `must be between ${low} and ${high}, inclusive`)]
}

/** One of a few words, where there is any. */
export function oneOf(value: unknown, allowed: readonly string[], field: string): FieldError[] {
  if (value === undefined || value === null || allowed.includes(textOf(value))) return []
  return [unsupportedValue(field, value, allowed)]
}

/** A text that must be there. */
export function required(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [requiredValue(field)] : []
}

/** A text of some form that must be there. */
export function requiredName(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const missing = required(value, field)
  return missing.length > 0 ? missing : named(value, field, form)
}

/** A text of some form. */
export function named(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const text = textOf(value ?? '')
  return form(text).map((problem) => invalidValue(field, text, problem))
}

/** The name of another object, where there is one. */
export function optionalName(value: unknown, field: string): FieldError[] {
  return value === undefined || value === '' ? [] : named(value, field, subdomainProblems)
}

/** The number of a port. */
export function port(value: unknown, field: string): FieldError[] {
  return portProblems(value).map((problem) => invalidValue(field, value, problem))
}

/** A port by number or by name. */
export function portOrName(value: unknown, field: string): FieldError[] {
  return typeof value === 'string' ? named(value, field, portNameProblems) : port(value ?? 0, field)
}

/** An address. */
export function address(value: unknown, field: string): FieldError[] {
  const text = textOf(value ?? '')
  if (isAddress(text)) return []
  return [invalidValue(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
}

/** A number, or a share such as `25%`. */
export function countOrPercent(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return notNegative(value, field)
  return percentProblems(value).map((problem) => invalidValue(field, value, problem))
}

/** The errors of the objects in a list. */
export function eachObject(
  value: unknown,
  field: string,
  check: (item: JsonObject, field: string) => FieldError[],
): FieldError[] {
  return listOf(value).flatMap((item, index) => (isObject(item) ? check(item, `${field}[${index}]`) : []))
}
