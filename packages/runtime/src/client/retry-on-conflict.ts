import { checkOptionNames, optionNames, type Clock } from '@homeostat/api'
import { isConflict } from '../requests/index.ts'

/** How often {@link retryOnConflict} tries. */
export interface RetryOnConflictOptions {
  /** Default: 5. */
  attempts?: number | undefined
  /** Ends the wait before another attempt. */
  signal?: AbortSignal | undefined
}

const RETRY_OPTIONS = optionNames<RetryOnConflictOptions>('retryOnConflict', { attempts: true, signal: true })

/**
 * Runs `attempt`, and again if its write failed with a conflict: 5 times in all, about 10 ms apart. The attempt
 * must read the object from the server each time.
 */
export async function retryOnConflict<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  options: RetryOnConflictOptions = {},
): Promise<T> {
  checkOptionNames(options, RETRY_OPTIONS)
  const attempts = options.attempts ?? 5
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error) || made >= attempts) throw error
      await clock.sleep(10 + clock.random(), { signal: options.signal })
    }
  }
}
