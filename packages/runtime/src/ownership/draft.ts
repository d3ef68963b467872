import { setKey, type JsonObject } from '@homeostat/api'

/** For each part of a draft that is still a copy, the original: parts without one were assigned. */
export type Origins = WeakMap<object, object>

/** A deep copy of JSON for changes, with the origin of each part. A part that was replaced has no origin. */
export function copyToDraft<T>(value: T): { draft: T; origins: Origins } {
  const origins: Origins = new WeakMap()
  const copy = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    const copied = Array.isArray(part) ? part.map(copy) : copyObject(part as JsonObject)
    origins.set(copied, part)
    return copied
  }
  // JSON has no inherited keys, and this way no list of them is made.
  const copyObject = (part: JsonObject): JsonObject => {
    const copied: JsonObject = {}
    for (const name in part) setKey(copied, name, copy(part[name]))
    return copied
  }
  return { draft: copy(value) as T, origins }
}
