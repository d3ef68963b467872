import { checkOptionNames, HomeostatError, optionNames, type Clock } from '@homeostat/api'
import { TokenBucket } from '../queue/index.ts'

/** How many requests controllers may send, so that mass operations leave capacity for other clients. */
export interface RequestLimits {
  /** The average number of requests a second. */
  readonly perSecond: number
  /** How many requests may be sent at once after a pause. Default: twice `perSecond`. */
  readonly burst?: number | undefined
}

const REQUEST_LIMITS = optionNames<RequestLimits>('the option requests', { perSecond: true, burst: true })

/**
 * Delays requests that exceed the limits; they are sent in the order in which they came. Each waits by the clock of
 * its own client. Throws a `HomeostatError` with code `REQUEST_LIMITS_INVALID`.
 */
export function requestThrottle(
  limits: RequestLimits,
): (clock: Clock, signal: AbortSignal | undefined) => Promise<void> {
  checkOptionNames(limits, REQUEST_LIMITS)
  const { perSecond, burst = Math.max(1, 2 * perSecond) } = limits
  if (!(perSecond > 0 && Number.isFinite(perSecond) && burst >= 1)) {
    throw new HomeostatError(
      'REQUEST_LIMITS_INVALID',
      `a limit of ${perSecond} requests a second with a burst of ${burst} is not valid: use numbers above 0, and a burst of at least 1`,
    )
  }
  const bucket = new TokenBucket({ rate: perSecond, burst })
  return async (clock, signal) => {
    const wait = bucket.take(clock.monotonic())
    if (wait > 0) await clock.sleep(wait, { signal })
  }
}
