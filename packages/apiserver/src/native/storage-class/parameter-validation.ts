import { labelKeyProblems } from '@homeostat/api'
import { named } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  objectOf,
  requiredValue,
  textOf,
  tooLong,
} from '../../schema/index.ts'

const MOST_PARAMETERS = 512

const LARGEST_PARAMETERS = 256 * 1024

export function provisionerErrors(value: unknown, field: string): FieldError[] {
  const text = textOf(value ?? '')
  return text === '' ? [requiredValue(field)] : named(text.toLowerCase(), field, labelKeyProblems)
}

export function parameterErrors(value: unknown, field: string): FieldError[] {
  const entries = Object.entries(objectOf(value))
  if (entries.length > MOST_PARAMETERS) return [tooLong(field, MOST_PARAMETERS)]
  const errors = entries
    .filter(([key]) => key === '')
    .map(([key]) => invalidValue(field, key, 'field can not be empty.'))
  const size = entries.reduce((sum, [key, text]) => sum + key.length + textOf(text).length, 0)
  return size > LARGEST_PARAMETERS ? [...errors, tooLong(field, LARGEST_PARAMETERS)] : errors
}
