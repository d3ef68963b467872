import type { Clock } from './clock.ts'
import { SystemClock } from './system-clock.ts'

/** Processes and sockets live in the machine's own time, whatever clock the caller has. */
const machine = new SystemClock()

/**
 * Keeps simulated time from moving during real work: a process that starts, a probe under way. After `timeout` of
 * real time the work no longer holds the time: it probably runs for long, or waits for simulated time itself. On the
 * system clock it costs nothing.
 */
export function holdClock(clock: Clock, what: string, until: Promise<unknown>, timeout = 1_000): void {
  if (clock instanceof SystemClock) return
  const work = clock.busy(what)
  const timer = machine.schedule(timeout, () => work.end())
  void until
    .catch(() => undefined)
    .then(() => {
      timer.cancel()
      work.end()
      return undefined
    })
}

/** Settles as the promise does, or resolves to undefined after `timeout` milliseconds of real time. */
export function atMost<T>(promise: Promise<T>, timeout: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = machine.schedule(timeout, () => resolve(undefined))
    promise.then(resolve, reject).finally(() => timer.cancel())
  })
}
