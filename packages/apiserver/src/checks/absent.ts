import { getKey, isObject, type JsonObject, setKey } from '../schema/index.ts'

/** Sets a field that is missing, empty or null. */
export function setDefault(object: JsonObject, name: string, value: unknown): void {
  const current = object[name]
  if (current === undefined || current === null || current === '') object[name] = value
}

/** Adds the entries of a map whose keys another map lacks. A key may be called like what every object inherits. */
export function addMissing(map: JsonObject, entries: JsonObject): void {
  for (const [name, value] of Object.entries(entries)) {
    if ((getKey(map, name) ?? null) === null) setKey(map, name, value)
  }
}

/** Sets a number that is missing or zero, for fields where zero means unset. */
export function setPositive(object: JsonObject, name: string, value: number): void {
  if (!object[name]) object[name] = value
}

/** The object in a field; created where it is missing. */
export function ensureObject(object: JsonObject, name: string): JsonObject {
  const current = object[name]
  if (isObject(current)) return current
  const made: JsonObject = {}
  object[name] = made
  return made
}

/** The objects in a list; none where the value is not a list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
