/** The lists and maps that an object lost because they were empty. */
const dropped = new WeakMap<object, Set<string>>()

/** Records that a list or map was sent, before it is dropped or made null. */
export function noteEmpty(object: object, name: string): void {
  const names = dropped.get(object)
  if (names) names.add(name)
  else dropped.set(object, new Set([name]))
}

/**
 * Whether a list or map of a native object was sent empty. A few rules of Kubernetes distinguish that from an absent
 * one, although neither is stored. It is known for the original object, and for copies by {@link keepSentEmpty}.
 */
export function wasSentEmpty(object: object, name: string): boolean {
  return dropped.get(object)?.has(name) ?? false
}

/** A list or map as messages show it: the empty one where it was sent empty, and null where it was not sent. */
export function shownAsSent(object: Readonly<Record<string, unknown>>, name: string, empty: object): unknown {
  return object[name] ?? (wasSentEmpty(object, name) ? empty : null)
}

/** Whether any list or map of an object was sent empty, and got no default since. */
export function lostEmpty(object: Readonly<Record<string, unknown>>): boolean {
  const names = dropped.get(object)
  return names !== undefined && names.values().some((name) => (object[name] ?? null) === null)
}

/** Forgets it: a stored object is the same however it was sent. */
export function forgetSentEmpty(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  dropped.delete(value)
  for (const part of Object.values(value)) forgetSentEmpty(part)
}

/** Records for a copy the fields that were sent empty in the original. */
export function keepSentEmpty<T extends object>(copy: T, original: object): T {
  const names = dropped.get(original)
  if (names) dropped.set(copy, new Set(names))
  return copy
}
