import { TimeZone } from '@homeostat/api'

/** Nanoseconds in a second. */
export const SECOND = 1_000_000_000n

/** The earliest and the latest point in time: the years 1 and 9999. */
const FIRST = -62_135_596_800n * SECOND
const LAST = 253_402_300_800n * SECOND - 1n

/** Whether a number of nanoseconds since 1970 is a timestamp that CEL accepts. */
export function isTimestamp(nanos: bigint): boolean {
  return nanos >= FIRST && nanos <= LAST
}

/** A duration in seconds: `5400s`, `0.25s`. */
export function formatDuration(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos
  const fraction = String(size % SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${nanos < 0n ? '-' : ''}${size / SECOND}${fraction && '.'}${fraction}s`
}

/** A point in time from text such as `2023-01-02T03:04:05.678Z`, or `undefined` where the text is not one. */
export function parseTimestamp(text: string): { nanos: bigint; offset: number } | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/.exec(
    text,
  )
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', sign, zoneHour = '0', zoneMinute = '0'] =
    parts
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(zoneHour) > 24 || Number(zoneMinute) > 60) return undefined
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return { nanos: BigInt(date.getTime() - offset * 60_000) * 1_000_000n + nanos, offset }
}

/** A point in time, in the zone that it was written in, with as many digits of the second as it needs. */
export function formatTimestamp({
  nanos,
  offset,
}: {
  readonly nanos: bigint
  readonly offset: number
}): string {
  const { date, nano } = splitTime(nanos)
  const local = new Date(date.getTime() + offset * 60_000)
  const fraction = String(nano).padStart(9, '0').replace(/0+$/, '')
  const year = String(local.getUTCFullYear()).padStart(4, '0')
  const rest = local
    .toISOString()
    .replace(/^[+-]?\d+-/, '')
    .slice(0, 14)
  return `${year}-${rest}${fraction && '.'}${fraction}${zoneText(offset)}`
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z'
  const size = Math.abs(offset)
  const digits = (value: number): string => String(Math.trunc(value)).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`
}

/** A point in time as a date to the second, and the nanoseconds beyond it. */
export function splitTime(nanos: bigint): { date: Date; nano: number } {
  let seconds = nanos / SECOND
  let nano = nanos % SECOND
  if (nano < 0n) {
    nano += SECOND
    seconds--
  }
  return { date: new Date(Number(seconds) * 1000), nano: Number(nano) }
}

/** The offset of a time zone from UTC at a moment, in minutes; an error's text where there is no such zone. */
export function zoneOffset(zone: string, date: Date): number | string {
  const fixed = /^([+-]?\d+):(\d+)$/.exec(zone)
  if (fixed) {
    const [, hours, minutes] = fixed
    const total = Number(hours) * 60
    return zone.startsWith('-') ? total - Number(minutes) : total + Number(minutes)
  }
  try {
    return new TimeZone(zone).offset(date.getTime()) / 60_000
  } catch {
    return `unknown time zone ${zone}`
  }
}
