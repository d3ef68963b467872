import { HomeostatError } from '../errors/index.ts'

/** A length of time: milliseconds, or a number with a unit, such as `'500ms'`, `'30s'`, `'5m'`, `'10h'`. */
export type Duration = DurationForms['any']

/** Messages of the compiler show the type of a property with all of its forms, and of an alias only the name. */
interface DurationForms {
  any: number | `${number}ms` | `${number}s` | `${number}m` | `${number}h`
}

const MILLISECONDS: ReadonlyMap<string | undefined, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/

/** The duration in milliseconds. Throws a `HomeostatError` with code `DURATION_INVALID` for any other value. */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') {
    if (duration >= 0 && Number.isFinite(duration)) return duration
  } else {
    const match = PATTERN.exec(duration)
    // To the microsecond: in binary, 1.005 seconds is a little less than 1005 milliseconds.
    if (match) return Math.round(Number(match[1]) * MILLISECONDS.get(match[2])! * 1_000) / 1_000
  }
  throw new HomeostatError(
    'DURATION_INVALID',
    `${JSON.stringify(duration)} is not a duration: give milliseconds that are not negative, or a number with the unit ms, s, m or h, such as '30s'`,
  )
}
