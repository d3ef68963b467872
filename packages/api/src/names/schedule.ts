import { HomeostatError } from '../errors/index.ts'
import { parseCron, type CronFields } from './cron-schedule.ts'
import { TimeZone, type LocalTime } from './time-zone.ts'

/** The times of a recurring event. */
export interface Schedule {
  /** The first time after the given one, in milliseconds since 1970; `undefined` when there is none within five years. */
  next(after: number): number | undefined
}

const MINUTE = 60_000
const YEARS_AHEAD = 5

/**
 * Reads a schedule such as `0 3 * * MON-FRI`, `@hourly` or `@every 90m`, in a time zone such as `Europe/Berlin`.
 * Default: UTC. Its times are those of Kubernetes' CronJobs. Throws a `HomeostatError` with code `SCHEDULE_INVALID`
 * that says what is wrong with the text.
 *
 * ```ts
 * parseSchedule('0 3 * * MON-FRI').next(Date.parse('2026-01-02T12:00:00Z')) // Monday, 5 January 2026, 03:00
 * ```
 */
export function parseSchedule(text: string, zoneName?: string): Schedule {
  const schedule = parseCron(text)
  if (typeof schedule === 'string') throw invalid(schedule)
  const { at, zone } = schedule
  return 'every' in at ? everyDuration(at.every) : new CronSchedule(zoneOf(zone ?? zoneName), at)
}

/** Times by the clock of a place. A time that the clocks skip does not happen; one that they show twice happens twice. */
class CronSchedule implements Schedule {
  readonly #zone: TimeZone
  readonly #fields: CronFields

  constructor(zone: TimeZone, fields: CronFields) {
    this.#zone = zone
    this.#fields = fields
  }

  next(after: number): number | undefined {
    const { month, hour, minute } = this.#fields
    let time = (Math.floor(after / MINUTE) + 1) * MINUTE
    const lastYear = this.#zone.local(time).year + YEARS_AHEAD
    for (;;) {
      const local = this.#zone.local(time)
      if (local.year > lastYear) return undefined
      if (!month.values.has(local.month)) time = this.#zone.startOfDay(local.year, local.month + 1, 1)
      else if (!this.#isDay(local)) time = this.#zone.startOfDay(local.year, local.month, local.day + 1)
      else if (!hour.values.has(local.hour)) time += (60 - local.minute) * MINUTE
      else if (!minute.values.has(local.minute)) time += this.#minutesOn(local.minute) * MINUTE
      else return time
    }
  }

  /** Where both the day of the month and the day of the week are restricted, a day need match only one. */
  #isDay(local: LocalTime): boolean {
    const { day, weekday } = this.#fields
    const [byDay, byWeekday] = [day.values.has(local.day), weekday.values.has(local.weekday)]
    return day.any || weekday.any ? byDay && byWeekday : byDay || byWeekday
  }

  /** The distance to the next minute that matches, at most to the next hour. */
  #minutesOn(from: number): number {
    let minute = from + 1
    while (minute < 60 && !this.#fields.minute.values.has(minute)) minute++
    return minute - from
  }
}

/** Each time after a whole number of seconds, at least one. */
function everyDuration(milliseconds: number): Schedule {
  const seconds = Math.max(1, Math.floor(milliseconds / 1_000))
  return { next: (after) => (Math.floor(after / 1_000) + seconds) * 1_000 }
}

function zoneOf(name: string | undefined): TimeZone {
  try {
    return new TimeZone(name)
  } catch (cause) {
    throw invalid(`provided bad location ${name}: unknown time zone ${name}`, cause)
  }
}

function invalid(why: string, cause?: unknown): HomeostatError {
  return new HomeostatError('SCHEDULE_INVALID', why, { cause })
}
