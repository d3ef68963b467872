import { deepEqual, isJsonObject } from '@homeostat/api'

/** Fields that the server writes by itself with each change. */
const KEPT_BY_SERVER = new Set(['metadata.managedFields', 'metadata.resourceVersion', 'metadata.generation'])
/** More fields than this are counted, not named. */
const MOST_NAMED = 8

/**
 * The paths of the fields in which two states of an object differ, without their values, which may be secret:
 * `spec.containers[0].image`. `undefined` where the two are of different versions.
 */
export function changedFields(before: unknown, after: unknown): string[] | undefined {
  if (!isJsonObject(before) || !isJsonObject(after)) return undefined
  if (before['apiVersion'] !== after['apiVersion'] || before['kind'] !== after['kind']) return undefined
  const paths = [...differing(before, after, '')]
  if (paths.length <= MOST_NAMED) return paths
  return [...paths.slice(0, MOST_NAMED), `and ${paths.length - MOST_NAMED} more`]
}

function* differing(before: unknown, after: unknown, path: string): Generator<string> {
  if (KEPT_BY_SERVER.has(path) || deepEqual(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    for (let index = 0; index < length; index++) {
      yield* differing(before[index], after[index], `${path}[${index}]`)
    }
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* differing(before[key], after[key], path === '' ? key : `${path}.${key}`)
    }
  } else yield path
}
