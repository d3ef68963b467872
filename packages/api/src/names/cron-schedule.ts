import { parseGoDuration } from './go-duration.ts'

/** The values of one field of a schedule. */
export interface CronValues {
  readonly values: ReadonlySet<number>
  /** Whether the field is a star, which allows every value. */
  readonly any: boolean
}

/** The five fields of a schedule such as `0 3 * * MON-FRI`. */
export type CronFields = Readonly<Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', CronValues>>

/** A parsed schedule. Its times are in `zone`, if it names one. */
export interface CronText {
  readonly zone?: string | undefined
  /** Times of the wall clock, or an interval in milliseconds. */
  readonly at: CronFields | { readonly every: number }
}

interface Bounds {
  readonly name: keyof CronFields
  readonly low: number
  readonly high: number
  readonly names?: readonly string[]
}

const FIELDS: readonly Bounds[] = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { name: 'weekday', low: 0, high: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
]
const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])
const EVERY = '@every '

/** The schedules that were parsed last, by their texts: a controller parses the schedule of a CronJob in each reconcile. */
const latest = new Map<string, CronText | string>()
const MOST_LATEST = 100

/**
 * Reads a schedule such as `0 3 * * MON-FRI`, `@hourly`, `@every 90m` or `TZ=Asia/Tokyo 0 3 * * *`. Returns a text
 * if the schedule is invalid: the problem, in the words of a Kubernetes API server.
 */
export function parseCron(text: string): CronText | string {
  let schedule = latest.get(text)
  if (schedule !== undefined) return schedule
  schedule = readCron(text)
  if (latest.size >= MOST_LATEST) latest.clear()
  latest.set(text, schedule)
  return schedule
}

function readCron(text: string): CronText | string {
  const prefix = /^(?:CRON_)?TZ=(\S*) /.exec(text)
  const zone = prefix?.[1]
  if (zone !== undefined && !isTimeZone(zone))
    return `provided bad location ${zone}: unknown time zone ${zone}`
  const schedule = prefix ? text.slice(prefix[0].length).trim() : text
  const at = schedule.startsWith(EVERY) ? everyOf(schedule) : fieldsOf(schedule)
  return typeof at === 'string' ? at : { zone, at }
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

function everyOf(text: string): { readonly every: number } | string {
  const duration = text.slice(EVERY.length)
  const nanoseconds = parseGoDuration(duration)
  if (nanoseconds === undefined) {
    return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`
  }
  return { every: Number(nanoseconds) / 1_000_000 }
}

function fieldsOf(text: string): CronFields | string {
  const plain = text.startsWith('@') ? DESCRIPTORS.get(text) : text
  if (plain === undefined) return `unrecognized descriptor: ${text}`
  const fields = plain.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`
  }
  const read = new Map<string, CronValues>()
  for (const [index, bounds] of FIELDS.entries()) {
    const values = valuesOf(fields[index] ?? '', bounds)
    if (typeof values === 'string') return values
    read.set(bounds.name, values)
  }
  return Object.fromEntries(read) as CronFields
}

function valuesOf(text: string, bounds: Bounds): CronValues | string {
  const values = new Set<number>()
  let any = false
  for (const part of text.split(',').filter((one) => one !== '')) {
    const range = rangeOf(part, bounds)
    if (typeof range === 'string') return range
    any ||= range.star && range.step === 1
    for (let value = range.start; value <= range.end; value += range.step) values.add(value)
  }
  return { values, any }
}

interface Range {
  readonly start: number
  readonly end: number
  readonly step: number
  readonly star: boolean
}

function rangeOf(text: string, bounds: Bounds): Range | string {
  const [range = '', ...steps] = text.split('/')
  const limits = range.split('-')
  const [first = ''] = limits
  const star = first === '*' || first === '?'
  let start = bounds.low
  let end = bounds.high
  if (!star) {
    const low = numberIn(first, bounds)
    if (typeof low === 'string') return low
    start = low
    end = low
    if (limits.length > 2) return `too many hyphens: ${text}`
    if (limits.length === 2) {
      const high = numberIn(limits[1] ?? '', bounds)
      if (typeof high === 'string') return high
      end = high
    }
  }
  if (steps.length > 1) return `too many slashes: ${text}`
  const step = steps[0] === undefined ? 1 : numberIn(steps[0])
  if (typeof step === 'string') return step
  // `5/15` continues to the end.
  if (steps.length === 1 && limits.length === 1) end = bounds.high
  if (start < bounds.low) return `beginning of range (${start}) below minimum (${bounds.low}): ${text}`
  if (end > bounds.high) return `end of range (${end}) above maximum (${bounds.high}): ${text}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`
  return step === 0 ? `step of range should be a positive number: ${text}` : { start, end, step, star }
}

/** The number in a text, or what is wrong with it. */
function numberIn(text: string, bounds?: Bounds): number | string {
  const named = bounds?.names?.indexOf(text.toLowerCase()) ?? -1
  if (bounds && named >= 0) return named + bounds.low
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
  }
  const number = Number(text)
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number
}
