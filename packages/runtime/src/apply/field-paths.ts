import { isJsonObject, type FieldsV1, type JsonObject } from '@homeostat/api'

/** The members of a set of fields, without the mark that the place itself is owned. */
export function children(fields: FieldsV1): string[] {
  return Object.keys(fields).filter((path) => path !== '.')
}

export function isLeaf(fields: FieldsV1): boolean {
  return children(fields).length === 0
}

/** The fields at one path below, of those sets that have it. */
export function below(sets: readonly FieldsV1[], path: string): readonly FieldsV1[] {
  return sets.flatMap((fields) => (Object.hasOwn(fields, path) ? (fields[path] ?? []) : []))
}

/** The one path that can mean this element. A key that it leaves out may have been filled in by the server. */
export function pathOf(
  element: JsonObject,
  paths: ReadonlyMap<string, JsonObject | undefined>,
): string | undefined {
  const [candidate, another] = [...paths].filter(
    ([, keys]) =>
      keys !== undefined &&
      Object.entries(keys).every(([name, value]) => element[name] === undefined || element[name] === value),
  )
  return another ? undefined : candidate?.[0]
}

export function hasKeys(candidate: unknown, keys: JsonObject): candidate is JsonObject {
  return isJsonObject(candidate) && Object.entries(keys).every(([name, value]) => candidate[name] === value)
}

/** The keys in a path such as `k:{"name":"web"}`. */
export function parseKeys(path: string): JsonObject | undefined {
  const keys: unknown = parsePath(path)
  return isJsonObject(keys) ? keys : undefined
}

/** The JSON in a path such as `v:"value"`. */
export function parsePath(path: string): unknown {
  try {
    return JSON.parse(path.slice(2))
  } catch {
    return undefined
  }
}
