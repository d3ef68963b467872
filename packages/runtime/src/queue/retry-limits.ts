import { checkOptionNames, HomeostatError, milliseconds, optionNames, type Duration } from '@homeostat/api'

/** How soon, and how often, failed reconciles are retried. */
export interface RetryLimits {
  /** The wait after the first failure; it doubles with each further one. Default: `'1s'`. */
  base?: Duration | undefined
  /** The longest wait. Default: `'5m'`. */
  max?: Duration | undefined
  /** How many conflicts in a row are retried quickly before they count as failures. Default: 5. */
  conflicts?: number | undefined
  /** How many retries start in a second, for all keys together. Default: 10. */
  rate?: number | undefined
  /** How many retries may start at once after a pause. Default: 100. */
  burst?: number | undefined
}

/** {@link RetryLimits} with every default filled in, in milliseconds. */
export interface ResolvedRetryLimits {
  readonly base: number
  readonly max: number
  readonly conflicts: number
  readonly rate: number
  readonly burst: number
}

/** The limits of Go's controller-runtime: from 5 ms to 1000 s, with conflicts treated like any other failure. */
export function controllerRuntimeLimits(): RetryLimits {
  return { base: '5ms', max: '1000s', conflicts: 0, rate: 10, burst: 100 }
}

const RETRY_LIMITS = optionNames<RetryLimits>('retries', {
  base: true,
  max: true,
  conflicts: true,
  rate: true,
  burst: true,
})

/** Fills in the defaults. Throws `RETRY_LIMITS_INVALID` where a number is invalid. */
export function resolveRetryLimits(limits: RetryLimits = {}): ResolvedRetryLimits {
  checkOptionNames(limits, RETRY_LIMITS)
  const resolved = {
    base: milliseconds(limits.base ?? '1s'),
    max: milliseconds(limits.max ?? '5m'),
    conflicts: limits.conflicts ?? 5,
    rate: limits.rate ?? 10,
    burst: limits.burst ?? 100,
  }
  mustHold(resolved.base > 0, 'base', 'longer than 0: otherwise failures would be retried without a pause')
  mustHold(resolved.max >= resolved.base, 'max', 'at least as long as base')
  mustHold(
    Number.isInteger(resolved.conflicts) && resolved.conflicts >= 0,
    'conflicts',
    'a whole number that is not negative',
  )
  mustHold(
    resolved.rate > 0 && Number.isFinite(resolved.rate),
    'rate',
    'above 0: the number of retries that may start in a second',
  )
  mustHold(resolved.burst >= 1 && Number.isFinite(resolved.burst), 'burst', 'a number of at least 1')
  return resolved
}

function mustHold(holds: boolean, name: string, what: string): void {
  if (!holds) throw new HomeostatError('RETRY_LIMITS_INVALID', `the retry limit "${name}" must be ${what}`)
}
