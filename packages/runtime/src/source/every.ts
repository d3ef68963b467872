import { HomeostatError, milliseconds, type Duration, type Timer } from '@homeostat/api'
import type { ExternalEvent, Source } from './source.ts'

/** A source that sends an event after each period. The value of the first event is 1, of the second 2, and so on. */
export function every(period: Duration): Source<ExternalEvent<number>> {
  const length = milliseconds(period)
  if (length === 0) {
    throw new HomeostatError('DURATION_INVALID', 'a timer needs a period longer than 0')
  }
  return {
    name: `timer every ${typeof period === 'number' ? `${period}ms` : period}`,
    start({ clock, signal }, emit) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const begin = clock.monotonic()
      let count = 0
      let timer: Timer
      // Each time is counted from the beginning: late calls do not add up.
      const next = (): void => {
        timer = clock.schedule(begin + (count + 1) * length - clock.monotonic(), () => {
          count++
          next()
          emit({ value: count })
        })
      }
      next()
      signal.addEventListener('abort', () => timer.cancel(), { once: true })
      return Promise.resolve()
    },
  }
}
