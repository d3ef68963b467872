import { HomeostatError } from '../errors/index.ts'

/** The delay of a timer: a negative one is due at once. NaN is refused, since it would never be due. */
export function checkedDelay(milliseconds: number): number {
  if (!Number.isNaN(milliseconds)) return Math.max(0, milliseconds)
  throw new HomeostatError(
    'DURATION_INVALID',
    'a timer was set for NaN milliseconds: check how the delay is computed, perhaps from a time that could not be parsed',
  )
}
