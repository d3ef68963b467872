import { goText, goTypeOf } from './go-text.ts'
import { isJsonObject, getKey } from '../json/index.ts'
import { PatchError } from './patch-error.ts'

/** Whether the items of lists to merge are plain values or objects. All must be the same. */
export function itemKind(...lists: readonly (readonly unknown[])[]): 'value' | 'object' {
  const items = lists.flat()
  if (Array.isArray(items[0])) {
    throw new PatchError('PATCH_UNPROCESSABLE', 'lists of lists are not supported')
  }
  const objects = items.filter(isJsonObject).length
  const types = new Set(items.map(goTypeOf))
  if (types.size > 1) {
    throw new PatchError('PATCH_FAILED', `list element types are not identical: ${goText(lists)}`)
  }
  return objects === 0 ? 'value' : 'object'
}

/** What tells an item apart from others. Throws a {@link PatchError} if it lacks that. */
export function keyOfItem(item: unknown, mergeKey: string): unknown {
  const key = isJsonObject(item) ? getKey(item, mergeKey) : undefined
  if (key !== undefined) return key
  throw new PatchError(
    'PATCH_FAILED',
    `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`,
  )
}

/**
 * Puts the items of a merged list in order. Those that `wanted` names stand in its order; the others keep
 * the order in which they were in the live list, each as near as that allows to where it was.
 */
export function inLiveOrder<T>(
  merged: readonly T[],
  wanted: readonly unknown[],
  live: readonly unknown[],
  mergeKey: string | undefined,
): T[] {
  // A key that a patch took away is not a key; the item keeps its place.
  const identity = (item: unknown) =>
    mergeKey !== undefined && isJsonObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : item
  const wantedPlaces = places(wanted.map(identity))
  const livePlaces = places(live.map(identity))
  const byPlace = (order: ReadonlyMap<unknown, number>) => (a: T, b: T) =>
    (order.get(identity(a)) ?? 0) - (order.get(identity(b)) ?? 0)
  const named = merged.filter((item) => wantedPlaces.has(identity(item))).sort(byPlace(wantedPlaces))
  const others = merged.filter((item) => !wantedPlaces.has(identity(item))).sort(byPlace(livePlaces))

  // An item that is new to the list has no place in the live order, so nothing has to stand before it.
  const result: T[] = []
  let next = 0
  for (const item of named) {
    const place = livePlaces.get(identity(item)) ?? -1
    while (next < others.length && (livePlaces.get(identity(others[next])) ?? Infinity) < place) {
      result.push(others[next++]!)
    }
    result.push(item)
  }
  return [...result, ...others.slice(next)]
}

/** Where each stands first. */
function places(identities: readonly unknown[]): Map<unknown, number> {
  const result = new Map<unknown, number>()
  for (const [index, identity] of identities.entries()) {
    if (!result.has(identity)) result.set(identity, index)
  }
  return result
}
