const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/**
 * A duration with two or three significant digits, as Kubernetes' tables show ages: `45s`, `5m30s`, `17m`, `3h12m`,
 * `2d3h`, `41d`, `2y5d`. A slightly negative duration, from a clock that is behind, is shown as zero.
 */
export function shortDuration(milliseconds: number): string {
  if (milliseconds <= -2 * SECOND) return '<invalid>'
  const length = Math.max(milliseconds, 0)
  if (length < 2 * MINUTE) return `${Math.floor(length / SECOND)}s`
  if (length < 10 * MINUTE) return parts(length, MINUTE, 'm', SECOND, 's')
  if (length < 3 * HOUR) return `${Math.floor(length / MINUTE)}m`
  if (length < 8 * HOUR) return parts(length, HOUR, 'h', MINUTE, 'm')
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)}h`
  if (length < 8 * DAY) return parts(length, DAY, 'd', HOUR, 'h')
  if (length < 2 * YEAR) return `${Math.floor(length / DAY)}d`
  if (length < 8 * YEAR) return parts(length, YEAR, 'y', DAY, 'd')
  return `${Math.floor(length / YEAR)}y`
}

/** The larger unit, and the rest in the smaller one unless it is zero. */
function parts(length: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((length % large) / small)
  return `${Math.floor(length / large)}${largeName}${rest === 0 ? '' : `${rest}${smallName}`}`
}

/** How long ago a time was, or `<unknown>` where there is none. */
export function ageOf(time: string | null | undefined, now: number): string {
  const then = time ? Date.parse(time) : Number.NaN
  return Number.isNaN(then) ? '<unknown>' : shortDuration(now - then)
}
