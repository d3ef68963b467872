import { failure, goQuote, goText, isExactNumber, type Status, type StatusCause } from '@homeostat/api'
import { textOf } from '../review/index.ts'
import type { FieldError, FieldErrorReason } from './field-error.ts'
import { valueAt } from './field-path.ts'

/** The words for each reason in a message. */
const WORDS: Readonly<Record<FieldErrorReason, string>> = {
  FieldValueInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueNotFound: 'Not found',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
}

/** Reasons whose message does not show the value. */
const WITHOUT_VALUE: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
])

/**
 * The Status that refuses an invalid object, with the same wording as an API server for native kinds. It shows the
 * object's value at each path, unless the error has its own value.
 */
export function invalidStatus(
  kind: { readonly group: string; readonly kind: string },
  object: unknown,
  errors: readonly FieldError[],
): Omit<Status, 'kind' | 'apiVersion'> {
  const name = valueAt(object, 'metadata.name')
  const causes = errors.map((error) => causeOf(error, object))
  const { kind: _, apiVersion: __, ...status } = failure.invalid(kind, textOf(name), causes)
  return status
}

function causeOf(error: FieldError, object: unknown): StatusCause {
  const { reason, field, detail } = error
  const parts = [WORDS[reason]]
  if (!WITHOUT_VALUE.has(reason)) parts.push(shown('value' in error ? error.value : found(error, object)))
  if (detail !== '') parts.push(detail)
  return { reason, message: parts.join(': '), field }
}

/** For a list with too many items, the number of items is shown. */
function found({ reason, field }: FieldError, object: unknown): unknown {
  const value = valueAt(object, field)
  return reason === 'FieldValueTooMany' && Array.isArray(value) ? value.length : value
}

/** A value as messages of an API server show it: a string in quotes, an object or a list as JSON. */
function shown(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number' || typeof value === 'boolean' || isExactNumber(value)) return goText(value)
  return JSON.stringify(value ?? null).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`,
  )
}
