import { copyJson, deepEqual, getKey, isJsonObject, setKey, type JsonObject } from '../json/index.ts'

/**
 * The target with a merge patch (RFC 7386) applied: objects are merged, null removes a key, anything else replaces the
 * current value. As in Kubernetes, null also removes a key of an object inside a list, unless that list replaces an
 * object. Neither argument is changed.
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  return mergeInto(isJsonObject(patch) ? copyJson(target) : undefined, patch)
}

/** Merges into a target that may be changed. */
function mergeInto(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return isJsonObject(target) ? copyJson(patch) : withoutNullKeys(patch)
  const result: JsonObject = isJsonObject(target) ? target : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined) setKey(result, key, mergeInto(getKey(result, key), value))
  }
  return result
}

/** A copy in which no object has a key of null. Items of null stay. */
function withoutNullKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullKeys)
  return isJsonObject(value) ? mergeInto({}, value) : value
}

/**
 * The smallest merge patch that turns `before` into `after`; `undefined` when nothing differs. Such a patch cannot
 * set null, so a null in `after` counts as absent. Lists that differ are replaced as a whole.
 */
export function createMergePatch(before: object, after: object): JsonObject | undefined {
  const [old, wanted] = [before as JsonObject, after as JsonObject]
  const patch: JsonObject = {}
  for (const [key, value] of Object.entries(old)) {
    if (isPresent(value) && !isPresent(getKey(wanted, key))) setKey(patch, key, null)
  }
  for (const [key, value] of Object.entries(wanted)) {
    const current = getKey(old, key)
    if (!isPresent(value)) continue
    if (isJsonObject(current) && isJsonObject(value)) {
      const inner = createMergePatch(current, value)
      if (inner) setKey(patch, key, inner)
    } else if (!deepEqual(current, value)) {
      setKey(patch, key, copyJson(value))
    }
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
