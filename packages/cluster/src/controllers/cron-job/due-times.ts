import { HomeostatError, type Schedule } from '@homeostat/api'
import type { CronJob } from '@homeostat/api/kinds'

/** The missed times of a schedule. */
export interface DueTime {
  /** The last time that is due; `undefined` when none is. */
  readonly time: number | undefined
  /** Whether too many times were missed. */
  readonly tooManyMissed: boolean
}

interface Missed {
  /** The time after which times count, such as the last one for which a Job was made. */
  readonly since: number
  readonly latest: number | undefined
  /** How many times were missed, roughly. */
  readonly count: number
}

const MOST_MISSED = 100
/** The controller checks a little after the time, so that a small difference between clocks does not matter. */
const LATER = 100

/** The scheduled time for which the controller should create a Job now. Times past the starting deadline do not count as missed. */
export function dueTime(cronJob: CronJob, schedule: Schedule, now: number): DueTime {
  const { startingDeadlineSeconds: deadline } = cronJob.spec
  const earliest = deadline === undefined ? undefined : now - deadline * 1_000
  const { latest, count } = missedSince(Math.max(sinceOf(cronJob), earliest ?? 0), schedule, now)
  return { time: latest, tooManyMissed: latest !== undefined && count > MOST_MISSED }
}

/** After how many milliseconds to check again; `undefined` when the schedule has no further time. */
export function nextDueIn(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  const from = lookFrom(cronJob, schedule, now)
  const next = schedule.next(from)
  return next === undefined ? undefined : Math.max(0, next + LATER - now)
}

function lookFrom(cronJob: CronJob, schedule: Schedule, now: number): number {
  try {
    const { since, latest, count } = missedSince(sinceOf(cronJob), schedule, now)
    return latest ?? (count === 0 ? since : now)
  } catch {
    return now
  }
}

function sinceOf({ metadata, status }: CronJob): number {
  return Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp)
}

function missedSince(since: number, schedule: Schedule, now: number): Missed {
  const first = schedule.next(since)
  const second = first === undefined ? undefined : schedule.next(first)
  if (first === undefined || second === undefined) {
    throw new HomeostatError(
      'SCHEDULE_NEVER_DUE',
      'time difference between two schedules is less than 1 second',
    )
  }
  if (now < first) return { since, latest: undefined, count: 0 }
  if (now < second) return { since, latest: first, count: 0 }
  const period = second - first
  const count = Math.floor((now - first) / period) + 1
  // Where times are not regular, one period earlier still finds the last one.
  return { since, latest: schedule.previous(now, first + (count - 2) * period), count }
}
