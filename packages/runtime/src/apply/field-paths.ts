import { isJsonObject, type FieldsV1, type JsonObject } from '@homeostat/api'

/** The members of a set of fields, without the mark that the place itself is owned. */
export function children(fields: FieldsV1): string[] {
  return Object.keys(fields).filter((path) => path !== '.')
}

/** How many members a set of fields has. JSON has no inherited keys, and `for … in` makes no list of the keys. */
export function countOfChildren(fields: FieldsV1): number {
  let count = 0
  for (const path in fields) if (path !== '.') count++
  return count
}

export function isLeaf(fields: FieldsV1): boolean {
  for (const path in fields) if (path !== '.') return false
  return true
}

/** The fields at one path below, of those sets that have it. */
export function below(sets: readonly FieldsV1[], path: string): readonly FieldsV1[] {
  if (sets.length === 0) return sets
  const found: FieldsV1[] = []
  for (const fields of sets) {
    const inner = Object.hasOwn(fields, path) ? fields[path] : undefined
    if (inner) found.push(inner)
  }
  return found
}

/** The one path that can mean this element. A key that it leaves out may have been filled in by the server. */
export function pathOf(
  element: JsonObject,
  paths: ReadonlyMap<string, JsonObject | undefined>,
): string | undefined {
  let candidate: string | undefined
  for (const [path, keys] of paths) {
    if (keys === undefined || !mayHaveKeys(element, keys)) continue
    if (candidate !== undefined) return undefined
    candidate = path
  }
  return candidate
}

function mayHaveKeys(element: JsonObject, keys: JsonObject): boolean {
  for (const name in keys) if (element[name] !== undefined && element[name] !== keys[name]) return false
  return true
}

export function hasKeys(candidate: unknown, keys: JsonObject): candidate is JsonObject {
  if (!isJsonObject(candidate)) return false
  for (const name in keys) if (candidate[name] !== keys[name]) return false
  return true
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
