import { type FieldError, invalidValue, isNumber, textOf } from '../schema/index.ts'

/** Checks that a path has no `..`. */
export function noSteppingBack(value: unknown, field: string): FieldError[] {
  const path = textOf(value ?? '')
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []
}

/** Checks that a path is relative and has no `..`. */
export function descendingPath(value: unknown, field: string): FieldError[] {
  const path = textOf(value ?? '')
  const errors = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []
  return [...errors, ...noSteppingBack(path, field)]
}

/** Checks the path of a file in a volume. Names that begin with two dots belong to the kubelet. */
export function localPath(value: unknown, field: string): FieldError[] {
  const path = textOf(value ?? '')
  const errors = descendingPath(path, field)
  if (path.startsWith('..') && !path.startsWith('../')) {
    errors.push(invalidValue(field, path, "must not start with '..'"))
  }
  return errors
}

/** Checks the mode of a file, if set. */
export function fileMode(value: unknown, field: string): FieldError[] {
  if (!isNumber(value) || (value >= 0 && value <= 0o777)) return []
  return [invalidValue(field, value, 'must be a number between 0 and 0777 (octal), both inclusive')]
}
