import { deepEqual, isJsonObject } from '@homeostat/api'

/** Where two values differ, and how. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The first place at which two values differ; `undefined` where they are the same. */
export function firstDifference(before: unknown, after: unknown, path = ''): Difference | undefined {
  if (deepEqual(before, after)) return undefined
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) {
      const found = firstDifference(item, after[index], `${path}[${index}]`)
      if (found) return found
    }
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const found = firstDifference(before[key], after[key], path === '' ? key : `${path}.${key}`)
      if (found) return found
    }
  }
  return { path, before, after }
}
