/**
 * Works on one item first, then on two at once, four, eight …, so that a problem of all items fails only a few. The
 * first failure ends it.
 */
export async function inGrowingBatches<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let done = 0, size = 1; done < items.length; done += size, size *= 2) {
    await Promise.all(items.slice(done, done + size).map(work))
  }
}
