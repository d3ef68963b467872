import { describeCause, type ActivityEvent } from 'homeostat'
import type { Change } from './entry.ts'

/** What a manager did, with its causes as sentences. The recorder gives it a number of its own. */
export function withReasons(event: ActivityEvent): Change {
  if (event.type === 'ended') return event
  if (event.type === 'started') return { ...event, reasons: event.causes.map(describeCause) }
  const requests = event.requests.map((each) => ({
    ...each,
    reason: each.cause && describeCause(each.cause),
  }))
  return { ...event, requests }
}
