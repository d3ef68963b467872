/**
 * Adds lists of any length to a list. `push(...list)` fails where the list is longer than the stack has room for, some
 * 100,000 items, which one request can send.
 */
export function addAll<T>(target: T[], ...lists: readonly Iterable<T>[]): void {
  for (const list of lists) for (const item of list) target.push(item)
}
