import { driverName } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  isObject,
  jsonText,
  type JsonObject,
  requiredValue,
  tooLong,
} from '../../schema/index.ts'

const LONGEST_PARAMETERS = 10_240

/** Validates a configuration for a driver. A stored one may have parameters of any length. */
export function configurationErrors({ opaque }: JsonObject, field: string, stored = false): FieldError[] {
  const at = `${field}.opaque`
  if (!isObject(opaque)) return [requiredValue(at)]
  return [
    ...driverName(opaque['driver'], `${at}.driver`),
    ...rawObjectErrors(opaque['parameters'], `${at}.parameters`, stored ? Infinity : LONGEST_PARAMETERS),
  ]
}

/** Validates any JSON object that only a driver reads. */
export function rawObjectErrors(value: unknown, field: string, longest: number): FieldError[] {
  if (value === undefined || value === null) return [requiredValue(field)]
  if (jsonText(value).length > longest) return [tooLong(field, longest)]
  return isObject(value) ? [] : [invalidValue(field, '<value omitted>', 'must be a valid JSON object')]
}
