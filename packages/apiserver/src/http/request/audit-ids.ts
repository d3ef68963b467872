import type { Clock } from '@homeostat/api'
import { uid } from '../../registry/index.ts'

/** Hexadecimal digits after the last hyphen of a UUID. */
const LAST_DIGITS = 12

/**
 * Returns a function that makes ids for requests. They look like UUIDs: one random UUID for the server, whose last digits count
 * the requests. The clock's random numbers are not used for each request, because the order in which requests end
 * depends on threads, and it must not decide on the names and uids of objects under a simulated clock.
 */
export function auditIds(clock: Clock): () => string {
  const beginning = uid(clock).slice(0, -LAST_DIGITS)
  let requests = 0
  return () => beginning + (++requests).toString(16).padStart(LAST_DIGITS, '0')
}
