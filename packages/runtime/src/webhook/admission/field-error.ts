import { checkOptionNames, goQuote, optionNames } from '@homeostat/api'

/** Why a field is refused, as the causes of a Status name it. */
export type FieldErrorReason =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueNotSupported'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'

/** An error of one field. */
export interface FieldError<Path extends string = string> {
  readonly reason: FieldErrorReason
  readonly field: Path
  /** The message for people. May be empty. */
  readonly detail: string
  /** The value to show in place of the one that the object has at the path. */
  readonly value?: unknown
}

/** Options of a {@link FieldError} that shows the value. */
export interface FieldErrorOptions {
  /** The value to show. Default: the one that the object has at the path. */
  readonly value?: unknown
}

const OPTIONS = optionNames<FieldErrorOptions>('a field error', { value: true })

/** The value to show, where one was given. */
function valueOf(options: FieldErrorOptions | undefined): FieldErrorOptions {
  checkOptionNames(options, OPTIONS)
  return options ?? {}
}

/** The value is malformed or out of bounds: `spec.replicas: Invalid value: 11: must be at most 10`. */
export function invalid<const Path extends string>(
  path: Path,
  detail: string,
  options?: FieldErrorOptions,
): FieldError<Path> {
  return { ...valueOf(options), reason: 'FieldValueInvalid', field: path, detail }
}

/** The value is missing: `spec.title: Required value: a ticket needs a title`. */
export function required<const Path extends string>(path: Path, detail = ''): FieldError<Path> {
  return { reason: 'FieldValueRequired', field: path, detail }
}

/** The value is valid, but not allowed here or now: `spec.host: Forbidden: cannot be changed`. */
export function forbidden<const Path extends string>(path: Path, detail: string): FieldError<Path> {
  return { reason: 'FieldValueForbidden', field: path, detail }
}

/** The value is a duplicate: `spec.tags[1]: Duplicate value: "a"`. */
export function duplicate<const Path extends string>(
  path: Path,
  options?: FieldErrorOptions,
): FieldError<Path> {
  return { ...valueOf(options), reason: 'FieldValueDuplicate', field: path, detail: '' }
}

/**
 * The value is not one of the supported values: `spec.mode: Unsupported value: "x": supported values: "fast", "slow"`.
 */
export function notSupported<const Path extends string>(
  path: Path,
  supported: readonly string[],
  options?: FieldErrorOptions,
): FieldError<Path> {
  const values = supported.map((value) => goQuote(value)).join(', ')
  const detail = supported.length === 0 ? '' : `supported values: ${values}`
  return { ...valueOf(options), reason: 'FieldValueNotSupported', field: path, detail }
}

/** The value refers to an object that does not exist: `spec.assignee.name: Not found: "ghost"`. */
export function notFound<const Path extends string>(
  path: Path,
  options?: FieldErrorOptions,
): FieldError<Path> {
  return { ...valueOf(options), reason: 'FieldValueNotFound', field: path, detail: '' }
}

/** The value has more bytes than it may: `spec.title: Too long: may not be more than 20 bytes`. */
export function tooLong<const Path extends string>(path: Path, maxLength: number): FieldError<Path> {
  const detail = `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`
  return { reason: 'FieldValueTooLong', field: path, detail }
}

/** The value has fewer characters than it must: `spec.title: Too short: must be at least 3 characters`. */
export function tooShort<const Path extends string>(path: Path, minLength: number): FieldError<Path> {
  const detail = `must be at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`
  return { reason: 'FieldValueTooShort', field: path, detail }
}

/** The list has more items than it may: `spec.tags: Too many: 5: must have at most 4 items`. */
export function tooMany<const Path extends string>(path: Path, maxItems: number): FieldError<Path> {
  const detail = `must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}`
  return { reason: 'FieldValueTooMany', field: path, detail }
}
