import type { StatusCause } from '@homeostat/api'
import { listed } from './error-list.ts'
import { jsonText, numberText, quote } from '../values/go-text.ts'

/** The API's type of the error. */
export type FieldErrorReason =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooFew'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

/** One error of an object. `field` and `message` are exactly those of a Kubernetes API server. */
export interface FieldError {
  /** `spec.ports[0].port`; `<nil>` where a rule speaks of the whole object. */
  readonly field: string
  readonly reason: FieldErrorReason
  /** The message without the field: `Invalid value: 0: must be at least 1`. */
  readonly message: string
}

/** The field that errors about a whole object name. */
export const ROOT = '<nil>'

/** A value is missing. */
export function requiredValue(field: string, detail = ''): FieldError {
  return { field, reason: 'FieldValueRequired', message: join('Required value', detail) }
}

/** A value is invalid. */
export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: join(`Invalid value: ${valueText(value)}`, detail) }
}

/** A value is invalid; the message does not show it. */
export function invalidWhole(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: join('Invalid value', detail) }
}

/** A value is of another type than its schema says. */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return {
    field,
    reason: 'FieldValueTypeInvalid',
    message: join(`Invalid value: ${valueText(value)}`, detail),
  }
}

/** A value is not one of those allowed. */
export function unsupportedValue(field: string, value: unknown, allowed: readonly string[]): FieldError {
  const detail = allowed.length ? `supported values: ${allowed.map((text) => quote(text)).join(', ')}` : ''
  return {
    field,
    reason: 'FieldValueNotSupported',
    message: join(`Unsupported value: ${valueText(value)}`, detail),
  }
}

/** A value that must be unique is duplicated. */
export function duplicateValue(field: string, value: unknown, detail = ''): FieldError {
  return {
    field,
    reason: 'FieldValueDuplicate',
    message: join(`Duplicate value: ${valueText(value)}`, detail),
  }
}

/** A value is forbidden in this place. */
export function forbiddenValue(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: join('Forbidden', detail) }
}

/** A value refers to an object that does not exist. */
export function valueNotFound(field: string, value: unknown, detail = ''): FieldError {
  return { field, reason: 'FieldValueNotFound', message: join(`Not found: ${valueText(value)}`, detail) }
}

/** A text is too long. The server counts it in bytes here, whatever unit the rule itself has. */
export function tooLong(field: string, max: number): FieldError {
  const detail = max < 0 ? 'value is too long' : `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`
  return { field, reason: 'FieldValueTooLong', message: `Too long: ${detail}` }
}

/** A list or map has too many entries. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`
  return { field, reason: 'FieldValueTooMany', message: `Too many: ${actual}: ${detail}` }
}

/** The errors as the causes of a Status: the first of them, where an answer has no room for all. */
export function causesOf(errors: readonly FieldError[]): StatusCause[] {
  const shown = listed(errors)
  const causes = shown.map(({ field, reason, message }): StatusCause => ({ reason, message, field }))
  if (shown.length < errors.length) {
    const message = `Too many errors: the first ${shown.length} of ${errors.length} are listed`
    causes.push({ reason: 'FieldValueTooMany', message, field: ROOT })
  }
  return causes
}

/** The errors in one line: each once, in brackets where there are several. */
export function aggregate(errors: readonly FieldError[]): string {
  const lines = [...new Set(listed(errors).map(({ field, message }) => `${field}: ${message}`))]
  return lines.length === 1 ? lines.join() : `[${lines.join(', ')}]`
}

function join(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value)
  return jsonText(value)
}
