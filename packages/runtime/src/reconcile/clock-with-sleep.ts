import type { Clock } from '@homeostat/api'

/** The clock with another way to sleep: for work that pauses while it sleeps. */
export function clockWithSleep(clock: Clock, sleep: Clock['sleep']): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    random: () => clock.random(),
    schedule: (delay, callback) => clock.schedule(delay, callback),
    busy: (what, waiting) => clock.busy(what, waiting),
    sleep,
  }
}
