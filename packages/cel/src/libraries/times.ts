import { overload, type Library, type Overload } from './overload.ts'
import { SECOND, splitTime, zoneOffset } from '../values/time.ts'
import { fail } from '../values/value.ts'

const DAY = 86_400_000

/** The parts of a point in time. The date is in UTC, or was moved to another zone. */
const PARTS: Readonly<Record<string, (date: Date, nano: number) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: (date) => {
    const start = new Date(date)
    start.setUTCMonth(0, 1)
    return Math.round((date.getTime() - start.getTime()) / DAY)
  },
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (_date, nano) => Math.trunc(nano / 1_000_000),
}

const DURATION_UNITS: Readonly<Record<string, bigint>> = {
  getHours: 3600n * SECOND,
  getMinutes: 60n * SECOND,
  getSeconds: SECOND,
}

/** The parts of points in time and of durations. */
export function times(): Library {
  return { overloads: [...Object.keys(PARTS).flatMap((name) => timestampParts(name)), ...durationParts()] }
}

function timestampParts(name: string): Overload[] {
  const part = PARTS[name]!
  return [
    overload(name, `timestamp_${name}`, 'timestamp.() -> int', (value) => {
      const { date, nano } = splitTime(value.nanos)
      return BigInt(part(date, nano))
    }),
    overload(name, `timestamp_${name}_with_tz`, 'timestamp.(string) -> int', (value, zone) => {
      const { date, nano } = splitTime(value.nanos)
      const offset = zoneOffset(zone, date)
      if (typeof offset === 'string') return fail(offset)
      return BigInt(part(new Date(date.getTime() + offset * 60_000), nano))
    }),
  ]
}

function durationParts(): Overload[] {
  return [
    ...Object.entries(DURATION_UNITS).map(([name, unit]) =>
      overload(name, `duration_${name}`, 'duration.() -> int', (value) => value.nanos / unit),
    ),
    overload(
      'getMilliseconds',
      'duration_getMilliseconds',
      'duration.() -> int',
      (value) => value.nanos / 1_000_000n,
    ),
  ]
}
