import { checkedDelay } from './checked-delay.ts'
import type { Clock, Timer, Work } from './clock.ts'
import { sleepOn } from './sleep.ts'

/** The longest delay that `setTimeout` holds: 2³¹ − 1 ms, about 24.8 days. */
const LONGEST_TIMEOUT = 2_147_483_647

const NO_WORK: Work = { end() {}, pause: () => NO_WORK, [Symbol.dispose]() {} }

/** The machine's own time and randomness. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now()
  }

  monotonic(): number {
    return performance.now()
  }

  random(): number {
    return Math.random()
  }

  schedule(milliseconds: number, callback: () => void): Timer {
    const delay = checkedDelay(milliseconds)
    const due = performance.now() + delay
    let handle = setTimeout(wake, Math.min(delay, LONGEST_TIMEOUT))
    function wake(): void {
      const left = due - performance.now()
      // A timer may fire up to a millisecond early by the monotonic clock: that counts as due.
      if (left >= 1) handle = setTimeout(wake, Math.min(left, LONGEST_TIMEOUT))
      else callback()
    }
    const cancel = (): void => clearTimeout(handle)
    return { cancel, [Symbol.dispose]: cancel }
  }

  sleep(milliseconds: number, options?: { signal?: AbortSignal | undefined }): Promise<void> {
    return sleepOn(this, milliseconds, options?.signal)
  }

  busy(): Work {
    return NO_WORK
  }
}
