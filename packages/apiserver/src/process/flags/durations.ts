import { HomeostatError, parseGoDuration } from '@homeostat/api'

/** The nanoseconds of a flag such as `24h0m0s`. Fails with `USAGE`. */
export function nanosecondsOf(flag: string, text: string): bigint {
  const nanoseconds = parseGoDuration(text)
  if (nanoseconds !== undefined) return nanoseconds
  throw new HomeostatError('USAGE', `--${flag}=${text} is not a duration: write 24h or 90m`)
}

/** The milliseconds of a flag. Fails with `USAGE`. */
export function durationOf(flag: string, text: string): number {
  return Number(nanosecondsOf(flag, text) / 1_000_000n)
}
