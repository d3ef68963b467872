import type { Pod } from '@homeostat/api/kinds'
import { failuresBefore, finishedAt } from './job-pods.ts'

/** How a Job's Pods have failed since the last one that succeeded. */
export interface Failures {
  readonly count: number
  /** When the last of them ended. */
  readonly last: number
}

const FIRST_WAIT = 10_000
const LONGEST_WAIT = 600_000
const NONE: Failures = { count: 0, last: 0 }

/** The failures with those of Pods that ended since; a success resets the count. */
export function countFailures(
  before: Failures = NONE,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): Failures {
  const times = failed.map(finishedAt)
  if (succeeded.length === 0) {
    if (times.length === 0) return before
    return { count: before.count + times.length, last: Math.max(...times) }
  }
  const success = Math.max(...succeeded.map(finishedAt))
  const later = times.filter((time) => time > success)
  return later.length === 0 ? NONE : { count: later.length, last: Math.max(...later) }
}

/** How long to wait before the next Pod is made: 10 s after the first failure, twice as long after each further one. */
export function waitAfter({ count, last }: Failures, now: number): number {
  if (count === 0) return 0
  const wait = Math.min(FIRST_WAIT * 2 ** (count - 1), LONGEST_WAIT)
  return Math.max(0, last + wait - now)
}

/** The back-off of one index, whose last Pod has the number of failures. */
export function waitAfterPod(failed: Pod, now: number): number {
  const { counted, ignored } = failuresBefore(failed)
  return waitAfter({ count: counted + ignored + 1, last: finishedAt(failed) }, now)
}
