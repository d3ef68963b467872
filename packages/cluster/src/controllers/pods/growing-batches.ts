/** Works on one first, then two at once, four, eight …: what fails for all fails for few. The first failure ends it. */
export async function inGrowingBatches<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (let done = 0, size = 1; done < items.length; done += size, size *= 2) {
    await Promise.all(items.slice(done, done + size).map(work))
  }
}
