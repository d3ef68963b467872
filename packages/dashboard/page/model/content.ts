/** Reads the contents of objects: the schema of a custom kind may allow values of any type in every field. */

/** The fields of a value by name. */
export type Fields = Readonly<Record<string, unknown>>

export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of a member; none where it is not a map. */
export function fieldsIn(value: object, name: string): Fields {
  const member = (value as Fields)[name]
  return isMap(member) ? member : {}
}

/** The maps in a list; none where the member is not a list. */
export function mapsIn(value: object, name: string): readonly Fields[] {
  const member = (value as Fields)[name]
  return Array.isArray(member) ? member.filter(isMap) : []
}

export function textIn(value: object, name: string): string | undefined {
  const member = (value as Fields)[name]
  return typeof member === 'string' ? member : undefined
}

export function numberIn(value: object, name: string): number | undefined {
  const member = (value as Fields)[name]
  return typeof member === 'number' ? member : undefined
}
