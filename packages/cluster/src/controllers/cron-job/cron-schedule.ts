import { HomeostatError } from '@homeostat/api'
import { TimeZone, type LocalTime } from './time-zone.ts'

/** When something is to happen, again and again. */
export interface Schedule {
  /** The first time after the given one, in milliseconds since 1970; `undefined` when there is none within five years. */
  next(after: number): number | undefined
}

interface Field {
  readonly low: number
  readonly high: number
  readonly names?: readonly string[]
}

/** The values that match. A star counts as no restriction at all. */
interface Values {
  readonly values: ReadonlySet<number>
  readonly any: boolean
}

const MINUTE_FIELD: Field = { low: 0, high: 59 }
const HOUR_FIELD: Field = { low: 0, high: 23 }
const DAY_FIELD: Field = { low: 1, high: 31 }
const MONTH_FIELD: Field = {
  low: 1,
  high: 12,
  names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
}
const WEEKDAY_FIELD: Field = { low: 0, high: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] }

const DESCRIPTORS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    '@yearly': '0 0 1 1 *',
    '@annually': '0 0 1 1 *',
    '@monthly': '0 0 1 * *',
    '@weekly': '0 0 * * 0',
    '@daily': '0 0 * * *',
    '@midnight': '0 0 * * *',
    '@hourly': '0 * * * *',
  }),
)
const UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    ns: 1e-6,
    us: 1e-3,
    µs: 1e-3,
    μs: 1e-3,
    ms: 1,
    s: 1_000,
    m: 60_000,
    h: 3_600_000,
  }),
)
const MINUTE = 60_000
const YEARS_AHEAD = 5

/**
 * Reads a schedule such as `0 3 * * MON-FRI`, `@hourly` or `@every 90m`, in a time zone. Throws a HomeostatError
 * that says what is wrong with it.
 */
export function parseSchedule(text: string, zoneName?: string): Schedule {
  const prefix = /^(?:CRON_)?TZ=(\S*)\s+/.exec(text)
  const zone = zoneOf(prefix ? prefix[1] : zoneName)
  const rest = (prefix ? text.slice(prefix[0].length) : text).trim()
  if (rest.startsWith('@every ')) return everyDuration(rest)
  const plain = rest.startsWith('@') ? DESCRIPTORS.get(rest) : rest
  if (plain === undefined) throw invalid(`unrecognized descriptor: ${rest}`)
  const fields = plain.split(/\s+/).filter((field) => field !== '')
  const [minute, hour, day, month, weekday] = fields
  if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) {
    throw invalid(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`)
  }
  return new CronSchedule(zone, {
    minute: valuesOf(minute, MINUTE_FIELD),
    hour: valuesOf(hour, HOUR_FIELD),
    day: valuesOf(day, DAY_FIELD),
    month: valuesOf(month, MONTH_FIELD),
    weekday: valuesOf(weekday, WEEKDAY_FIELD),
  })
}

/** Times by the clock of a place. A time that the clocks skip does not happen; one that they show twice happens twice. */
class CronSchedule implements Schedule {
  readonly #zone: TimeZone
  readonly #fields: Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', Values>

  constructor(zone: TimeZone, fields: Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', Values>) {
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

  /** A day of the month and a day of the week that are both restricted: either does. */
  #isDay(local: LocalTime): boolean {
    const { day, weekday } = this.#fields
    const [byDay, byWeekday] = [day.values.has(local.day), weekday.values.has(local.weekday)]
    return day.any || weekday.any ? byDay && byWeekday : byDay || byWeekday
  }

  /** How far the next minute is that matches, at most to the next hour. */
  #minutesOn(from: number): number {
    let minute = from + 1
    while (minute < 60 && !this.#fields.minute.values.has(minute)) minute++
    return minute - from
  }
}

function valuesOf(text: string, field: Field): Values {
  const values = new Set<number>()
  let any = false
  for (const part of text.split(',').filter((one) => one !== '')) {
    const { low, high, step, star } = rangeOf(part, field)
    any ||= star && step === 1
    for (let value = low; value <= high; value += step) values.add(value)
  }
  return { values, any }
}

function rangeOf(text: string, field: Field): { low: number; high: number; step: number; star: boolean } {
  const [range = '', ...steps] = text.split('/')
  const limits = range.split('-')
  const [first = '', last] = limits
  const star = first === '*' || first === '?'
  if (!star && limits.length > 2) throw invalid(`too many hyphens: ${text}`)
  if (steps.length > 1) throw invalid(`too many slashes: ${text}`)
  const low = star ? field.low : numberIn(first, field)
  const step = steps[0] === undefined ? 1 : numberIn(steps[0])
  // `5/15` goes on to the end.
  const open = star || (steps.length === 1 && limits.length === 1)
  const high = open ? field.high : last === undefined ? low : numberIn(last, field)
  if (low < field.low) throw invalid(`beginning of range (${low}) below minimum (${field.low}): ${text}`)
  if (high > field.high) throw invalid(`end of range (${high}) above maximum (${field.high}): ${text}`)
  if (low > high) throw invalid(`beginning of range (${low}) beyond end of range (${high}): ${text}`)
  if (step === 0) throw invalid(`step of range should be a positive number: ${text}`)
  return { low, high, step, star }
}

function numberIn(text: string, field?: Field): number {
  const named = field?.names?.indexOf(text.toLowerCase()) ?? -1
  if (field && named >= 0) return named + field.low
  if (!/^\d+$/.test(text)) throw invalid(`failed to parse int from ${text}`)
  return Number(text)
}

function everyDuration(text: string): Schedule {
  const duration = text.slice('@every '.length)
  const parts = [...duration.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== duration.replace(/^\+/, '')) {
    throw invalid(`failed to parse duration ${text}`)
  }
  const sum = parts.reduce(
    (total, [, number, unit]) => total + Number(number) * (UNITS.get(unit ?? '') ?? 0),
    0,
  )
  const seconds = Math.max(1, Math.floor(sum / 1_000))
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
