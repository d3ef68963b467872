import { checkOptionNames, HomeostatError, milliseconds, optionNames } from '@homeostat/api'
import { resolveRetryLimits } from '../queue/index.ts'
import type { ControllerOptions } from './controller.ts'

const DURATIONS = [
  'reconcileTimeout',
  'abortGracePeriod',
  'cacheSyncTimeout',
  'debounce',
  'minInterval',
] as const

/** The checks of a controller's options, and of a manager's options for all controllers. */
const CONTROLLER_OPTIONS = {
  maxConcurrentReconciles: true,
  retries: true,
  reconcileTimeout: true,
  abortGracePeriod: true,
  maxReconcilesPerSecond: true,
  debounce: true,
  minInterval: true,
  predicate: true,
  cacheSyncTimeout: true,
  needLeaderElection: true,
  enableWarmUp: true,
} as const

/** Throws a `HomeostatError` with code `CONTROLLER_OPTIONS_INVALID` that names the option. `whose` is for messages: `the controller at`. */
export function checkOptions(whose: string, options: ControllerOptions): void {
  checkOptionNames(options, optionNames<ControllerOptions>(whose, CONTROLLER_OPTIONS))
  const { maxConcurrentReconciles: workers, maxReconcilesPerSecond: rate } = options
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1)) {
    throw invalid(whose, 'maxConcurrentReconciles', 'must be a whole number of at least 1')
  }
  if (rate !== undefined && !(rate > 0 && Number.isFinite(rate))) {
    throw invalid(whose, 'maxReconcilesPerSecond', 'must be a number above 0. Leave it out for no limit')
  }
  check(whose, 'retries', () => resolveRetryLimits(options.retries))
  for (const duration of DURATIONS) {
    check(whose, duration, () => milliseconds(options[duration] ?? 0))
  }
}

function check(whose: string, option: string, read: () => unknown): void {
  try {
    read()
  } catch (cause) {
    throw invalid(
      whose,
      option,
      cause instanceof Error ? `is invalid: ${cause.message}` : 'is invalid',
      cause,
    )
  }
}

function invalid(whose: string, option: string, what: string, cause?: unknown): HomeostatError {
  return new HomeostatError('CONTROLLER_OPTIONS_INVALID', `the option ${option} of ${whose} ${what}`, {
    cause,
  })
}
