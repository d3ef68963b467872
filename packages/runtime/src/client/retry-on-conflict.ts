import type { Clock } from '@homeostat/api'
import { isConflict } from '../requests/index.ts'

/**
 * Runs `attempt`, and again if its write lost a race: 5 times in all, about 10 ms apart. The attempt must
 * read the object anew each time, from the server.
 */
export async function retryOnConflict<T>(
  clock: Clock,
  attempt: () => Promise<T>,
  options: { attempts?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<T> {
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
