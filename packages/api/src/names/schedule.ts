import { HomeostatError } from '../errors/index.ts'
import { parseCron, type CronFields } from './cron-schedule.ts'
import { TimeZone, type LocalTime } from './time-zone.ts'

/** The times of a recurring event. */
export interface Schedule {
  /** The first time after the given one, in milliseconds since 1970; `undefined` when there is none within five years. */
  next(after: number): number | undefined
  /**
   * The last time that is after `since` and not after the given time, such as the last one that an operator missed since its last
   * run. `undefined` when there is no such time, or none within five years. The times of `@every` are counted from `since`.
   */
  previous(time: number, since: number): number | undefined
}

const MINUTE = 60_000
const MOST_YEARS = 5

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
    const lastYear = this.#zone.local(time).year + MOST_YEARS
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

  previous(end: number, since: number): number | undefined {
    const { month, hour, minute } = this.#fields
    let time = Math.floor(end / MINUTE) * MINUTE
    const firstYear = this.#zone.local(time).year - MOST_YEARS
    for (;;) {
      const local = this.#zone.local(time)
      if (time <= since || local.year < firstYear) return undefined
      if (!month.values.has(local.month)) time = this.#zone.startOfDay(local.year, local.month, 1) - MINUTE
      else if (!this.#isDay(local)) time = this.#zone.startOfDay(local.year, local.month, local.day) - MINUTE
      else if (!hour.values.has(local.hour)) time = this.#before(time, local, local.minute + 1)
      else if (!minute.values.has(local.minute))
        time = this.#before(time, local, this.#minutesBack(local.minute))
      else return time
    }
  }

  /** Some minutes earlier, or one minute earlier where the clocks changed meanwhile. */
  #before(time: number, { minute }: LocalTime, minutes: number): number {
    const before = time - minutes * MINUTE
    return this.#zone.local(before).minute === (minute - minutes + 60) % 60 ? before : time - MINUTE
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

  /** The distance to the minute before that matches, at most to the hour before. */
  #minutesBack(from: number): number {
    let minute = from - 1
    while (minute >= 0 && !this.#fields.minute.values.has(minute)) minute--
    return from - minute
  }
}

/** Each time after a whole number of seconds, at least one. */
function everyDuration(milliseconds: number): Schedule {
  const interval = Math.max(1, Math.floor(milliseconds / 1_000)) * 1_000
  const next = (after: number): number => Math.floor(after / 1_000) * 1_000 + interval
  return {
    next,
    previous(time, since) {
      const first = next(since)
      return first > time ? undefined : first + Math.floor((time - first) / interval) * interval
    },
  }
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
