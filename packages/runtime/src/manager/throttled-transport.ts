import { HomeostatError, type Clock } from '@homeostat/api'
import { TokenBucket } from '../queue/token-bucket.ts'
import type { Transport } from '../transport/transport.ts'

/** How many requests may be sent. */
export interface RequestLimits {
  /** How many a second, over time. */
  readonly perSecond: number
  /** How many at once, after a pause. Default: twice as many as a second. */
  readonly burst?: number | undefined
}

/**
 * The transport, with requests held back where they are too many: for mass operations that must not
 * crowd out others. They go in the order in which they came. Watches are not held back.
 */
export function throttledTransport(transport: Transport, limits: RequestLimits, clock: Clock): Transport {
  const { perSecond, burst = Math.max(1, 2 * perSecond) } = limits
  if (!(perSecond > 0 && Number.isFinite(perSecond) && burst >= 1)) {
    throw new HomeostatError(
      'REQUEST_LIMITS_INVALID',
      `a limit of ${perSecond} requests a second with a burst of ${burst} makes no sense: give numbers above 0, and a burst from 1`,
    )
  }
  const bucket = new TokenBucket({ rate: perSecond, burst })
  const close = (): Promise<void> => transport.close()
  return {
    server: transport.server,
    async send(request) {
      const wait = request.query.get('watch') ? 0 : bucket.take(clock.monotonic())
      if (wait > 0) await clock.sleep(wait, { signal: request.signal })
      return transport.send(request)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
