import { goText, goTypeOf } from './go-text.ts'
import { isJsonObject, getKey } from '../json/index.ts'
import { PatchError } from './patch-error.ts'

/** Whether the items of lists to merge are plain values or objects. All must be the same. */
export function itemKind(...lists: readonly (readonly unknown[])[]): 'value' | 'object' {
  const items = lists.flat()
  if (items.length === 0) throw new PatchError('PATCH_FAILED', 'no elements in any of the given slices')
  if (Array.isArray(items[0])) {
    throw new PatchError('PATCH_UNPROCESSABLE', 'lists of lists are not supported')
  }
  // Kubernetes panics here.
  if (items[0] === null) throw new PatchError('PATCH_INVALID', 'a list that is merged cannot begin with null')
  const objects = items.filter(isJsonObject).length
  const types = new Set(items.map(goTypeOf))
  if (types.size > 1) {
    throw new PatchError('PATCH_FAILED', `list element types are not identical: ${goText(lists)}`)
  }
  return objects === 0 ? 'value' : 'object'
}

/** The merge key of an item. Throws a {@link PatchError} if it has none. */
export function keyOfItem(item: unknown, mergeKey: string): unknown {
  if (!isJsonObject(item)) throw wrongType({}, item)
  const key = getKey(item, mergeKey)
  if (key !== undefined) return key
  throw new PatchError(
    'PATCH_FAILED',
    `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`,
  )
}

/** A value that is not of the type that `expected` is of. */
export function wrongType(expected: unknown, value: unknown): PatchError {
  const type = value === null ? '%!s(<nil>)' : goTypeOf(value)
  return new PatchError('PATCH_FAILED', `expected a ${goTypeOf(expected)}, but received a ${type}`)
}

/** Refuses a patch unless `order` lists its items in the same order. Items that the patch deletes may be missing there. */
export function checkOrder(
  changes: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
): void {
  if (changes.length === 0 || order.length === 0) return
  const kept = mergeKey === undefined ? changes : changes.filter((change) => !isDeletion(change))
  let next = 0
  for (const place of order) {
    while (next < kept.length && hasDirective(kept[next])) next++
    if (next === kept.length) return
    if (isSameItem(kept[next], place, mergeKey)) next++
  }
  if (next === kept.length) return
  throw new PatchError(
    'PATCH_FAILED',
    `The order in patch list:\n${goText(changes)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  )
}

function hasDirective(item: unknown): boolean {
  return isJsonObject(item) && Object.hasOwn(item, '$patch')
}

function isDeletion(item: unknown): boolean {
  if (!isJsonObject(item)) throw wrongType({}, item)
  return getKey(item, '$patch') === 'delete'
}

function isSameItem(a: unknown, b: unknown, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) {
    // Kubernetes panics here.
    if ((isJsonObject(a) && isJsonObject(b)) || (Array.isArray(a) && Array.isArray(b))) {
      throw new PatchError(
        'PATCH_INVALID',
        '$setElementOrder cannot name objects in a list without a merge key',
      )
    }
    return a === b
  }
  for (const item of [a, b]) if (!isJsonObject(item)) throw wrongType({}, item)
  return keyOfItem(a, mergeKey) === keyOfItem(b, mergeKey)
}

/**
 * Puts the items of a merged list in order. Items that `wanted` names get the order of `wanted`. The others keep
 * their order in the live list, each as near as possible to its old place. Throws a {@link PatchError} if an
 * object lacks the merge key.
 */
export function inOrder<T>(
  merged: readonly T[],
  wanted: readonly unknown[],
  live: readonly unknown[],
  mergeKey: string | undefined,
): T[] {
  const identity = (item: unknown) => (mergeKey === undefined ? item : keyOfItem(item, mergeKey))
  if (mergeKey !== undefined) checkNames(merged, wanted, mergeKey)
  const wantedPlaces = places(wanted.map(identity))
  const livePlaces = places(live.map(identity))
  const wantedPlace = (item: T) => wantedPlaces.get(identity(item))
  const livePlace = (item: T) => livePlaces.get(identity(item))
  const named = merged.filter((item) => wantedPlace(item) !== undefined)
  const others = merged.filter((item) => wantedPlace(item) === undefined)
  return merge(sort(named, wantedPlace), sort(others, livePlace), livePlace)
}

/** Each item needs the merge key, and each name must be an object, at least up to the one that names the last item. */
function checkNames(items: readonly unknown[], names: readonly unknown[], mergeKey: string): void {
  const wrong = names.findIndex((name) => !isJsonObject(name))
  const readable = names.slice(0, Math.max(wrong, 0)).filter(isJsonObject)
  const before = new Set(readable.map((name) => getKey(name, mergeKey)))
  for (const item of items) {
    const key = keyOfItem(item, mergeKey)
    if (wrong < 0 || before.has(key)) continue
    throw new PatchError('PATCH_FAILED', `value for key ${wrong} is not a map`)
  }
}

/** Up to this many items Kubernetes sorts by insertion. */
const FEW = 20

/**
 * Sorts items by place, as Kubernetes does. Its comparison contradicts itself: an item without a place is less than any other
 * item, and any other item is less than it. Clients see the order that follows.
 */
function sort<T>(items: readonly T[], placeOf: (item: T) => number | undefined): T[] {
  if (items.length > FEW || items.every((item) => placeOf(item) !== undefined)) {
    return items.toSorted((a, b) => (placeOf(a) ?? -1) - (placeOf(b) ?? -1))
  }
  const sorted: T[] = []
  for (const item of items) {
    const place = placeOf(item)
    const last = sorted.findLastIndex((other) => {
      const otherPlace = placeOf(other)
      return place !== undefined && otherPlace !== undefined && otherPlace <= place
    })
    sorted.splice(last + 1, 0, item)
  }
  return sorted
}

/** Puts the named items among the others, each behind the others that stood before it in the live list. */
function merge<T>(
  named: readonly T[],
  others: readonly T[],
  livePlace: (item: T) => number | undefined,
): T[] {
  // An item that is new to the list has no place in the live order, so that no item must come before it.
  const result: T[] = []
  const rest = others.values()
  let other = rest.next()
  for (const item of named) {
    const place = livePlace(item) ?? -1
    while (!other.done && (livePlace(other.value) ?? Infinity) < place) {
      result.push(other.value)
      other = rest.next()
    }
    result.push(item)
  }
  for (; !other.done; other = rest.next()) result.push(other.value)
  return result
}

/** The first position of each. */
function places(identities: readonly unknown[]): Map<unknown, number> {
  const result = new Map<unknown, number>()
  for (const [index, identity] of identities.entries()) {
    if (!result.has(identity)) result.set(identity, index)
  }
  return result
}
