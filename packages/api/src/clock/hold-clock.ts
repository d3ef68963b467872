import type { Clock } from './clock.ts'
import { SystemClock } from './system-clock.ts'

/** Processes and sockets live in the machine's own time, whatever clock the caller has. */
const machine = new SystemClock()

/**
 * Keeps simulated time from moving while something real goes on: a process that starts, a probe under
 * way. What takes longer than `timeout` of real time counts as going on for long, or as waiting for
 * time to pass itself, and holds time no more. On the system clock it costs nothing.
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

/** Resolves with the promise, or after so much real time without it. */
export function atMost<T>(promise: Promise<T>, timeout: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = machine.schedule(timeout, () => resolve(undefined))
    promise.then(resolve, reject).finally(() => timer.cancel())
  })
}
