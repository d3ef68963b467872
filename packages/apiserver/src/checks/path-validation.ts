import { type FieldError, invalidValue, isNumber, textOf } from '../schema/index.ts'

/** A path that does not lead back. */
export function noSteppingBack(value: unknown, field: string): FieldError[] {
  const path = textOf(value ?? '')
  return path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []
}

/** A path that goes down from where it starts. */
export function descendingPath(value: unknown, field: string): FieldError[] {
  const path = textOf(value ?? '')
  const errors = path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []
  return [...errors, ...noSteppingBack(path, field)]
}

/** The path of a file in a volume: those that begin with two dots are the kubelet's own. */
export function localPath(value: unknown, field: string): FieldError[] {
  const path = textOf(value ?? '')
  const errors = descendingPath(path, field)
  if (path.startsWith('..') && !path.startsWith('../')) {
    errors.push(invalidValue(field, path, "must not start with '..'"))
  }
  return errors
}

/** The mode of a file, where there is one. */
export function fileMode(value: unknown, field: string): FieldError[] {
  if (!isNumber(value) || (value >= 0 && value <= 0o777)) return []
  return [invalidValue(field, value, 'must be a number between 0 and 0777 (octal), both inclusive')]
}
