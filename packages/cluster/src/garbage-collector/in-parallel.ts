const AT_ONCE = 20

/** Works on all items, twenty at a time. The first failure is thrown when the work under way has ended. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let done = 0; done < items.length; done += AT_ONCE) {
    const results = await Promise.allSettled(items.slice(done, done + AT_ONCE).map(work))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}
