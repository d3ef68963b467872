import { eachObject } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  tooMany,
} from '../../schema/index.ts'

export type ItemCheck = (item: JsonObject, field: string) => FieldError[]

/** The errors of the items of a list, unless it is too long. */
export function limitedList(value: unknown, field: string, most: number, check: ItemCheck): FieldError[] {
  const { length } = listOf(value)
  return length > most ? [tooMany(field, length, most)] : eachObject(value, field, check)
}

/** Does the same for a list whose items have a text in the field `key`, which must be unique. */
export function limitedSet(
  value: unknown,
  field: string,
  most: number,
  check: ItemCheck,
  key = 'name',
): FieldError[] {
  const names = listOf(value).map((item) => textOf(objectOf(item)[key] ?? ''))
  const errors = limitedList(value, field, most, check)
  return names.length > most ? errors : [...errors, ...repeated(names, field)]
}

/** An error for each text that occurs earlier in the list. */
export function repeated(texts: readonly string[], field: string): FieldError[] {
  const seen = new Set<string>()
  return texts.flatMap((text, index) => {
    if (seen.has(text)) return [duplicateValue(`${field}[${index}]`, text)]
    seen.add(text)
    return []
  })
}
