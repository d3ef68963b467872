import {
  configKeyProblems,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  type JsonObject,
  objectOf,
  wasSentEmpty,
} from '../../schema/index.ts'

const LARGEST = 1024 * 1024

const FROZEN = 'field is immutable when `immutable` is set'

export function keyErrors(key: string, field: string): FieldError[] {
  return configKeyProblems(key).map((problem) => invalidValue(`${field}[${key}]`, key, problem))
}

/**
 * Forbids changes of fields while `immutable` is true. An empty map of `nilable` differs from an absent one; other fields are
 * always maps.
 */
export function frozenErrors(
  object: JsonObject,
  old: JsonObject,
  fields: readonly string[],
  nilable: string,
): FieldError[] {
  if (old['immutable'] !== true) return []
  const errors = object['immutable'] === true ? [] : [forbiddenValue('immutable', FROZEN)]
  const changed = fields.filter(
    (field) =>
      (field === nilable && wasSentEmpty(object, field)) ||
      !equalJson(objectOf(object[field]), objectOf(old[field])),
  )
  return [...errors, ...changed.map((field) => forbiddenValue(field, FROZEN))]
}

export function sizeErrors(field: string, ...parts: readonly unknown[]): FieldError[] {
  const sum = (lengthOf: (text: string) => number): number => {
    let length = 0
    for (const part of parts)
      for (const value of Object.values(objectOf(part))) length += lengthOf(String(value))
    return length
  }
  // A UTF-16 unit takes at most three bytes in UTF-8, so that most texts need not be encoded.
  if (3 * sum((text) => text.length) <= LARGEST) return []
  const encoder = new TextEncoder()
  if (sum((text) => encoder.encode(text).length) <= LARGEST) return []
  return [{ field, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${LARGEST} bytes` }]
}
