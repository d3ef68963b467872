import { isJsonObject, stringifyJson, type AnyKind, type JsonObject, type ObjectOf } from '@homeostat/api'
import type { FieldPath } from '../admission/index.ts'

/** The paths of an object that consist only of names: none leads into a list or a map. */
export type KeyPath<O> = O extends AnyKind
  ? KeyPath<ObjectOf<O>>
  : O extends object
    ? Exclude<FieldPath<Omit<O, 'apiVersion' | 'kind' | 'metadata'>>, `${string}[${string}`>
    : never

/** The annotation that keeps fields of a version. */
export function annotationOf({ group, version }: AnyKind): string {
  return `conversion.${group}/${version}`
}

/** The fields at these paths as the text of an annotation; `undefined` where the object has none of them. */
export function keep(object: object, paths: readonly string[]): string | undefined {
  const kept = paths.flatMap((path): [string, unknown][] => {
    const value = valueAtKeys(object, path)
    return value === undefined ? [] : [[path, value]]
  })
  return kept.length === 0 ? undefined : stringifyJson(Object.fromEntries(kept))
}

/**
 * Writes fields that an annotation kept into an object that may be changed. Only paths that are kept today count, and an
 * annotation that is not JSON counts as absent: any client can write it.
 */
export function restore(object: JsonObject, annotation: string, paths: readonly string[]): void {
  const kept = parsed(annotation)
  for (const path of paths) {
    if (!Object.hasOwn(kept, path)) continue
    const keys = path.split('.')
    const last = keys.pop()!
    let parent: JsonObject = object
    for (const key of keys) {
      const child = Object.hasOwn(parent, key) ? parent[key] : undefined
      const copy: JsonObject = isJsonObject(child) ? { ...child } : {}
      parent[key] = copy
      parent = copy
    }
    parent[last] = kept[path]
  }
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function valueAtKeys(object: object, path: string): unknown {
  let value: unknown = object
  for (const key of path.split('.')) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}
